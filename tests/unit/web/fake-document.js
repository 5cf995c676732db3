// A document for node: as much of the DOM as the pages' `h` and their small parts use. Layout,
// parsing and selectors stay with the browser tests; here `find` looks by tag, class or id.

class FakeNode extends EventTarget {
  parent = null;

  get isConnected() {
    return this === document.body || (this.parent?.isConnected ?? false);
  }

  remove() {
    if (this.parent) this.parent.childNodes = this.parent.childNodes.filter((it) => it !== this);
    this.parent = null;
  }
}

class FakeText extends FakeNode {
  constructor(text) {
    super();
    this.textContent = text;
  }
}

/** Properties that a browser keeps as attributes. */
const REFLECTED = ['id', 'type', 'href', 'name', 'placeholder', 'autocomplete', 'rows', 'hidden'];

class FakeElement extends FakeNode {
  childNodes = [];
  attributes = new Map();
  dataset = {};
  style = {};
  value = '';
  disabled = false;
  open = false;

  constructor(tag) {
    super();
    this.tag = tag;
    const names = () => (this.className ? this.className.split(' ') : []);
    const set = (all) => (this.className = all.join(' '));
    this.classList = {
      contains: (name) => names().includes(name),
      add: (name) => set([...new Set([...names(), name])]),
      toggle: (name, on = !names().includes(name)) =>
        set([...names().filter((each) => each !== name), ...(on ? [name] : [])]),
    };
  }

  static {
    for (const name of [...REFLECTED, 'class'])
      Object.defineProperty(this.prototype, name === 'class' ? 'className' : name, {
        get() {
          return this.attributes.get(name) ?? '';
        },
        set(value) {
          this.attributes.set(name, value);
        },
      });
  }

  get children() {
    return this.childNodes.filter((each) => each instanceof FakeElement);
  }

  get childElementCount() {
    return this.children.length;
  }

  get textContent() {
    return this.childNodes.map((each) => each.textContent).join('');
  }

  set textContent(text) {
    this.replaceChildren(...(text === '' ? [] : [text]));
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name) {
    return this.attributes.has(name);
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  append(...nodes) {
    for (const each of nodes) {
      const node = each instanceof FakeNode ? each : new FakeText(String(each));
      node.remove();
      node.parent = this;
      this.childNodes.push(node);
    }
  }

  insertBefore(node, before) {
    node.remove();
    node.parent = this;
    const at = before === null ? this.childNodes.length : this.childNodes.indexOf(before);
    this.childNodes.splice(at, 0, node);
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  replaceChildren(...nodes) {
    for (const each of [...this.childNodes]) each.remove();
    this.append(...nodes);
  }

  focus() {
    document.activeElement = this;
  }

  click() {
    this.dispatchEvent(new Event('click'));
  }

  showModal() {
    this.open = true;
  }

  close() {
    this.open = false;
    queueMicrotask(() => this.dispatchEvent(new Event('close')));
  }
}

/** All elements inside, by "tag", ".class" or "#id". */
export function findAll(element, what) {
  const fits = {
    '.': (each) => each.classList.contains(what.slice(1)),
    '#': (each) => each.id === what.slice(1),
  }[what[0]];
  const inside = element.children.flatMap((each) => [each, ...findAll(each, '*')]);
  if (what === '*') return inside;
  return inside.filter(fits ?? ((each) => each.tag === what));
}

/** The first of them; fails if there is none. */
export function find(element, what) {
  const [first] = findAll(element, what);
  if (!first) throw new Error(`no ${what} in ${element.tag}: ${element.textContent}`);
  return first;
}

/** Put an empty document in place; each test begins with one. */
export function freshDocument() {
  const body = new FakeElement('body');
  globalThis.document = {
    body,
    activeElement: body,
    createElement: (tag) => new FakeElement(tag),
    createElementNS: (_, tag) => new FakeElement(tag),
  };
  Object.assign(globalThis, { Node: FakeNode, HTMLElement: FakeElement });
  return globalThis.document;
}
