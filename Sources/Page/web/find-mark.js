// Marks the text that is searched for in what is drawn, in browsers that can mark text without changing elements.

import { folded } from './find.js';

/** The most marks. More would make drawing slow. */
const LIMIT = 1000;

/**
 * @param {HTMLElement} element
 * @param {string} query Empty removes the marks.
 * @returns {Range[]} The marked places, in their order.
 */
export function markFound(element, query) {
  const { highlights } = /** @type {any} */ (CSS);
  highlights?.delete('found');
  const needle = folded(query);
  /** @type {Range[]} */ const ranges = [];
  if (!needle) return ranges;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < LIMIT; node = walker.nextNode()) {
    const text = folded(/** @type {Text} */(node).data);
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      ranges.push(range);
    }
  }
  highlights?.set('found', new /** @type {any} */(globalThis).Highlight(...ranges));
  return ranges;
}
