// Search over all sessions.

import { bridgeNow } from './bridge-clock.js';
import { h, replace } from './dom.js';
import { plainPieces } from './markdown.js';
import { nameList } from './people.js';
import { routeHash } from './routes.js';
import { bridgeName } from './session-head.js';
import { ago, exact, plural, sessionName } from './text.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {{ rows: HTMLElement[], cursor: string | null, note: string, isComplete: boolean }} Found */

/** Hits of one page. */
const PAGE = 50;
/** Milliseconds until a search is repeated while the index is not complete. */
const REPEAT = 2000;
/** The most hits on the screen. */
const HIT_LIMIT = 500;

/** @type {Record<string, string>} */
const KINDS = {
  prompt: 'prompt', user_message: 'prompt', message: 'message', thought: 'thought', tool_call: 'tool call', plan: 'plan',
};

/** @param {Store} store @param {string} query */
export function searchView(store, query) {
  const field = h('input.filter', {
    type: 'search', dir: 'auto', value: query, placeholder: 'Search all sessions', 'aria-label': 'Search all sessions',
    maxlength: 200
  });
  const status = h('p.list-status', { role: 'status' });
  const hits = h('div.hits');
  const others = h('p.dim');
  const more = h('button.load', { type: 'button', hidden: true, onclick: () => add() }, 'Show more');
  let latest = 0;
  let timer = 0;
  /** The words of the hits on the screen. */
  let shown = '';
  let words = '';
  /** @type {string | null} */ let cursor = null;

  const search = async () => {
    words = field.value.trim();
    history.replaceState(null, '', routeHash({ view: 'search', query: words }));
    latest += 1;
    cursor = null;
    more.hidden = true;
    if (!words) { replace(hits); replace(status, 'Type words to search for.'); return; }
    if (words !== shown) status.textContent = 'Searching…';
    await add();
  };

  async function add() {
    const run = latest;
    const isFirst = cursor === null;
    more.disabled = true;
    try {
      const found = await foundHits(store, words, cursor);
      if (run !== latest) return;
      if (isFirst) replace(hits, ...found.rows); else hits.append(...found.rows);
      shown = words;
      cursor = found.cursor;
      more.hidden = cursor === null || hits.childElementCount >= HIT_LIMIT;
      const count = hits.childElementCount;
      // Hits that a person has loaded further stay where they are.
      if (!found.isComplete && isFirst && element.isConnected) timer = window.setTimeout(search, REPEAT);
      status.textContent = `${count === 0 ? `No hits for “${words}”` : plural(count, 'hit')}${cursor ? ' so far' : ''}. ${found.note}`;
    } catch (error) {
      if (run === latest) status.textContent = `The search failed: ${/** @type {Error} */ (error).message}`;
    } finally {
      more.disabled = false;
    }
  }

  field.addEventListener('input', () => { clearTimeout(timer); timer = window.setTimeout(search, 200); });
  const element = h('section.search-view', { 'aria-label': 'Search' }, h('h1', null, 'Search'), field, others, status, hits, more);
  noteOthers(store, others);
  search();
  return { element, focus: () => field.focus(), close: () => clearTimeout(timer) };
}

/**
 * Says whose sessions are listed and not searched. A bridge of a hub searches those of others, too.
 * @param {Store} store @param {HTMLElement} element
 */
async function noteOthers(store, element) {
  const status = store.isShared ? null : await store.client?.query('bridge:status').catch(() => null);
  const names = (Array.isArray(status?.peers) ? status.peers : []).map((/** @type {any} */ peer) => exact(String(peer?.name ?? peer?.url)));
  if (names.length > 0) element.textContent = `Sessions of ${nameList(names)} are not searched. Search them on the page of their bridge.`;
}

/** @param {Store} store @param {string} words @param {string | null} cursor @returns {Promise<Found>} */
async function foundHits(store, words, cursor) {
  const client = /** @type {import('./tinyvex.js').TinyvexClient} */ (store.client);
  try {
    const { data, nextCursor, index, hubError } = await client.query('sessions:search',
      { query: words, limit: PAGE, ...(cursor && { cursor }) });
    const note = [indexNote(index), hubError && `Sessions of other bridges were not searched: ${exact(String(hubError))}`];
    const isComplete = !index || index.state === 'failed';
    const rows = data.map((/** @type {any} */ hit) => hitView(hit));
    return { rows, cursor: nextCursor ?? null, note: note.filter(Boolean).join(' '), isComplete };
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'TVX002') throw error;
    // A bridge without a full-text index finds titles, tags, folders and first prompts.
    const { data } = await client.query('sessions:list', { search: words, limit: PAGE });
    return {
      rows: data.map((/** @type {any} */ row) => hitView({ ...row, ts: row.lastTs, title: null, snippet: [sessionName(row)] })),
      cursor: null, note: 'This bridge searches titles, tags, folders and first prompts.', isComplete: true,
    };
  }
}

/** @param {any} index The state of the index, unless it has all text. */
function indexNote(index) {
  if (!index) return '';
  if (index.state === 'failed') return 'The index has failed: run acpbridge search --status on the bridge’s machine.';
  return `The index is being made: ${Number(index.done).toLocaleString('en')} of ${Number(index.total).toLocaleString('en')} entries. `
    + 'Hits can be missing.';
}

/** @param {any} hit `snippet` has the matches at the odd places. */
function hitView(hit) {
  const number = Number.isInteger(hit.timelineSeq) ? hit.timelineSeq : null;
  const href = routeHash({ view: 'session', sessionId: String(hit.sessionId), journal: String(hit.journal ?? ''), number });
  const pieces = (Array.isArray(hit.snippet) ? hit.snippet : [hit.snippet]).map((/** @type {any} */ part) => String(part ?? ''));
  const parts = (hit.kind === 'message' || hit.kind === 'thought' ? plainPieces(pieces) : pieces)
    .map((/** @type {string} */ part, /** @type {number} */ at) => (at % 2 === 1 ? h('mark', null, exact(part)) : exact(part)));
  return h('a.hit', { href }, h('span.hit-text', { dir: 'auto' }, parts),
    h('span.session-facts', null, hit.title && h('span', null, exact(String(hit.title))), h('span', null, exact(String(hit.agent ?? ''))),
      bridgeName(hit.bridge, ''),
      KINDS[hit.kind] && h('span', null, KINDS[hit.kind]), hit.ts && h('time', null, ago(hit.ts, bridgeNow()))));
}
