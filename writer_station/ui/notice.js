// The notice line under the views: one sentence, which is removed after a few seconds.

import { attribute, say } from '../../keno/pages/shared/dom.js';

/** @import { NoticeKind } from './types.js' */

/** Milliseconds for which a notice is shown. */
const NOTICE_MS = 6_000;

/**
 * Returns the function that shows a notice in `place`; an empty text removes it.
 * @param {HTMLElement} place
 */
export function createNotice(place) {
  let timer = 0;
  /**
   * @param {string} text
   * @param {NoticeKind} [kind]
   */
  return function notice(text, kind = 'good') {
    clearTimeout(timer);
    place.dataset.kind = text ? kind : '';
    attribute(place, 'role', kind === 'no' ? 'alert' : 'status');
    say(place, text);
    if (text) timer = setTimeout(() => notice(''), NOTICE_MS);
  };
}
