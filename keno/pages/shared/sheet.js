// Opens a modal dialog over the page. When it closes, focus returns and its promise has the value.

/** @import { Child } from './types.js' */

import { h } from './dom.js';

/**
 * What a dialog consists of. It is named by `label`, or by the element with the id `labelledBy`.
 * `closer` is a button that closes it. `light`: a click beside it closes it. `mustAnswer`: Escape
 * does not close it. `focusAfter` is called if the element that had the focus before is gone.
 * @typedef {{label?: string, labelledBy?: string, class?: string, children: Child,
 *   closer?: HTMLElement, light?: boolean, mustAnswer?: boolean,
 *   focusAfter?: () => void}} SheetParts
 */

/**
 * @template Value
 * @typedef {{element: HTMLDialogElement, closed: Promise<Value | undefined>,
 *   close: (value?: Value) => void}} Sheet `closed` is of the value given to `close`
 */

/**
 * Open a dialog.
 * @template Value
 * @param {SheetParts} parts
 * @returns {Sheet<Value>}
 */
export function openSheet({ children, closer, light, mustAnswer, focusAfter, ...parts }) {
  const element = h(
    'dialog',
    { class: parts.class, 'aria-label': parts.label, 'aria-labelledby': parts.labelledBy },
    children,
  );
  const before = document.activeElement;
  /** @type {(value: Value | undefined) => void} */
  let resolve;
  /** @type {Promise<Value | undefined>} */
  const closed = new Promise((done) => (resolve = done));
  let open = true;

  /** @param {Value} [value] */
  const close = (value) => {
    if (!open) return;
    open = false;
    element.close();
    element.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    else focusAfter?.();
    resolve(value);
  };

  closer?.addEventListener('click', () => close());
  if (light) element.addEventListener('click', (event) => event.target === element && close());
  if (mustAnswer) element.addEventListener('cancel', (event) => event.preventDefault());
  // Browsers close a dialog at the second Escape even if the first was refused.
  element.addEventListener('close', () => {
    if (open && mustAnswer) element.showModal();
    else close();
  });
  document.body.append(element);
  element.showModal();
  return { element, closed, close };
}
