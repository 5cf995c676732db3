// Making elements without markup text: one helper, so that nothing is ever parsed as HTML.

/**
 * Make an element. In `props`: `class`, `on` (a table of listeners), `data`, anything with a dash
 * or `role`/`for` and the like as an attribute, the rest as properties. Nothing is made of false,
 * null and undefined children.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Node|string|number|false|null|undefined|Array)} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) set(element, name, value);
  fill(element, children);
  return element;
}

/** Replace what is in an element; children as for `h`. */
export function put(element, ...children) {
  element.replaceChildren();
  fill(element, children);
  return element;
}

/** Set the text of an element only if it differs, so that a quiet page stays quiet. */
export function say(element, text) {
  const words = String(text ?? '');
  if (element.textContent !== words) element.textContent = words;
}

/** Set or remove an attribute, only if it differs. */
export function attribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/** An SVG element with attributes. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  fill(element, children);
  return element;
}

/** A key as it is drawn everywhere. */
export function keycap(name) {
  return h('kbd', { class: 'keycap' }, name);
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === 'class') element.className = value;
  else if (name === 'on')
    for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
  else if (name === 'data') Object.assign(element.dataset, value);
  else if (name in element && !name.includes('-')) element[name] = value;
  else element.setAttribute(name, value === true ? '' : String(value));
}

function fill(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === '') continue;
    element.append(child instanceof Node ? child : String(child));
  }
}
