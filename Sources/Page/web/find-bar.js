// The bar that finds text in one session's whole history.

import { announce, h, iconButton, replace } from './dom.js';
import { readEntries } from './feed.js';
import { PageFinder, QUERY_LIMIT } from './find.js';
import { plainPieces } from './markdown.js';
import { clock, exact, plural } from './text.js';

/** Entries that are read at once, from the newest to the oldest. */
const PAGE = 2000;
/** The most hits. Beyond them the search pauses, and can be continued. */
const HIT_LIMIT = 500;
/** Hits in the list. */
const LISTED = 100;

/** Characters before a hit in the list, so that the hit is visible on a phone. */
const BEFORE = 24;

/** @param {string} text */
const around = (text) => exact(text.replace(/\s+/g, ' '));

/**
 * @param {import('./tinyvex.js').TinyvexClient} client
 * @param {() => { session: import('./tinyvex.js').SessionName, head: number }} place The session, and its newest number.
 * @param {{ onHit: (number: number, query: string, isOlder: (first: number, last: number) => number) => void,
 *   onClose: () => void }} handlers
 */
export function findBar(client, place, { onHit, onClose }) {
  /** @type {import('./find.js').Hit[]} */ let hits = [];
  let selected = -1;
  /** Counts searches. An older one ends when another one begins. */
  let run = 0;
  let query = '';
  /** Whether the search has ended at the limit of hits. */
  let isFull = false;

  const field = h('input', {
    type: 'search', dir: 'auto', 'aria-label': 'Find in this session',
    placeholder: 'Find in this session', maxlength: QUERY_LIMIT, autocomplete: 'off',
  });
  const status = h('span.find-status', { role: 'status' });
  const list = h('ol.find-hits', { 'aria-label': 'Hits', hidden: true });
  const element = h('search.find-bar', null, h('div.find-row', null, field, status,
    iconButton('up', 'Next older hit', () => select(selected + 1)), iconButton('down', 'Next newer hit', () => select(selected - 1)),
    iconButton('close', 'Close', () => close())), list);

  /** @param {number} index 0 is the newest hit. */
  function select(index) {
    if (hits.length === 0) return;
    selected = (index + hits.length) % hits.length;
    for (const [at, item] of [...list.children].entries()) item.firstElementChild?.setAttribute('aria-current', String(at === selected));
    list.children[selected]?.scrollIntoView({ block: 'nearest' });
    draw('');
    announce(`Hit ${selected + 1} of ${hits.length}.`);
    const older = hits.slice(selected + 1);
    onHit(hits[selected].number, query, (first, last) => older.filter(({ number }) => number >= first && number <= last).length);
  }

  /** @param {string} progress */
  function draw(progress) {
    const all = isFull ? `${hits.length}+ hits` : plural(hits.length, 'hit');
    const found = hits.length === 0 ? 'No hits' : selected < 0 ? all : `${selected + 1} of ${hits.length}`;
    status.textContent = !query ? '' : progress ? `${hits.length > 0 ? `${found}, ` : ''}${progress}` : found;
    list.hidden = hits.length === 0;
  }

  /** @param {import('./find.js').Hit[]} fresh */
  function add(fresh) {
    for (const hit of fresh) {
      const index = hits.push(hit) - 1;
      if (index >= LISTED) continue;
      const pieces = [hit.before, hit.match, hit.after];
      const [before, match, after] = hit.isMarkdown ? plainPieces(pieces) : pieces;
      list.append(h('li', null, h('button.find-hit', { type: 'button', onclick: () => select(index) },
        h('time.dim', null, clock(hit.ts)), h('span', { dir: 'auto' }, before.length > BEFORE && '… ', around(before.slice(-BEFORE)),
          h('mark', null, exact(match)), around(after)))));
    }
  }

  async function search() {
    const own = ++run;
    query = field.value;
    hits = [];
    selected = -1;
    isFull = false;
    replace(list);
    draw('');
    if (!query) return;
    const { session, head } = place();
    /** @type {import('./find.js').Head | null} */ let next = null;
    for (let until = head; until > 0; until -= PAGE) {
      draw(`${Math.round((100 * (head - until)) / head)} % searched`);
      const finder = new PageFinder(query);
      try {
        await readEntries(client, session, Math.max(0, until - PAGE), until, (number, entry) => {
          finder.add(number, entry);
          return own !== run;
        });
      } catch (error) {
        if (own === run) status.textContent = `The search failed: ${/** @type {Error} */ (error).message}`;
        return;
      }
      if (own !== run) return;
      const found = finder.finish(next);
      next = found.head;
      add(found.hits);
      if (hits.length >= HIT_LIMIT) {
        isFull = true;
        draw('');
        list.append(h('li.dim', null, 'Older hits are not searched for. Type more words to find them.'));
        return;
      }
    }
    draw('');
    announce(hits.length === 0 ? 'No hits.' : `${plural(hits.length, 'hit')}.`);
  }

  function close() {
    run += 1;
    element.remove();
    onClose();
  }

  let timer = 0;
  field.addEventListener('input', () => { clearTimeout(timer); timer = window.setTimeout(search, 200); });
  element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') { event.stopPropagation(); close(); }
    if (event.key !== 'Enter' || event.target !== field) return;
    event.preventDefault();
    if (field.value !== query) { clearTimeout(timer); search(); } else select(selected + (event.shiftKey ? -1 : 1));
  });
  return { element, close, focus: () => { field.focus(); field.select(); } };
}
