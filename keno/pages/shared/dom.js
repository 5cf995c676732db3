// Creates elements without markup text, so that nothing is ever parsed as HTML.

/** @import { Child, Props } from './types.js' */

/**
 * Create an element. `props` has `class`, `on` (listeners by event), `data`, attributes (names with
 * a dash, `role`, `for` and the like) and properties. Children that are false, null or undefined
 * are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) set(element, name, value);
  fill(element, children);
  return element;
}

/**
 * Replace the children of an element and return it; children as for `h`.
 * @template {Element} Kind
 * @param {Kind} element
 * @param {...Child} children
 */
export function put(element, ...children) {
  element.replaceChildren();
  fill(element, children);
  return element;
}

/**
 * Set the text of an element only if it differs, so that screen readers hear only changes.
 * @param {Element} element
 * @param {string | number | null | undefined} text
 */
export function say(element, text) {
  const words = String(text ?? '');
  if (element.textContent !== words) element.textContent = words;
}

/**
 * Set or remove an attribute, only if it differs.
 * @param {Element} element
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 */
export function attribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/**
 * Create an SVG element with attributes and children.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | null | undefined>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  fill(element, children);
  return element;
}

/** Draw a keycap with this name. @param {string} name */
export function keycap(name) {
  return h('kbd', { class: 'keycap' }, name);
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {unknown} value
 */
function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === 'class') element.className = String(value);
  else if (name === 'on')
    for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
  else if (name === 'data') Object.assign(element.dataset, value);
  else if (name in element && !name.includes('-')) Reflect.set(element, name, value);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/**
 * @param {Element} element
 * @param {readonly Child[]} children
 */
function fill(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === '') continue;
    if (Array.isArray(child)) fill(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}
