// Search over all sessions.

import { bridgeNow } from './bridge-clock.js';
import { h, replace } from './dom.js';
import { routeHash } from './routes.js';
import { ago, exact, plural } from './text.js';

/** @typedef {import('./store.js').Store} Store */

/** @param {Store} store @param {string} query */
export function searchView(store, query) {
  const field = h('input.filter', {
    type: 'search', value: query, placeholder: 'Search all sessions', 'aria-label': 'Search all sessions',
    maxlength: 200
  });
  const status = h('p.list-status', { role: 'status' });
  const hits = h('div.hits', { role: 'list' });
  let latest = 0;
  const search = async () => {
    const words = field.value.trim();
    history.replaceState(null, '', routeHash({ view: 'search', query: words }));
    const run = ++latest;
    if (!words) return replace(status, 'Type words to search for.');
    status.textContent = 'Searching…';
    try {
      const { rows, note } = await found(store, words);
      if (run !== latest) return undefined;
      replace(hits, ...rows);
      status.textContent = `${plural(rows.length, 'hit')}. ${note}`;
    } catch (error) {
      if (run === latest) status.textContent = `The search failed: ${/** @type {Error} */ (error).message}`;
    }
    return undefined;
  };
  let timer = 0;
  field.addEventListener('input', () => { clearTimeout(timer); timer = window.setTimeout(search, 200); });
  search();
  return {
    element: h('section.search-view', { 'aria-label': 'Search' }, h('h1', null, 'Search'), field, status, hits),
    focus: () => field.focus()
  };
}

/** @param {Store} store @param {string} words @returns {Promise<{ rows: HTMLElement[], note: string }>} */
async function found(store, words) {
  const client = /** @type {import('./tinyvex.js').TinyvexClient} */ (store.client);
  try {
    const value = await client.query('sessions:search', { query: words, limit: 50 });
    const list = Array.isArray(value) ? value : value.data ?? value.hits ?? [];
    return { rows: list.map((/** @type {any} */ hit) => hitView(hit)), note: '' };
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'TVX002') throw error;
    // A bridge without a full-text index finds titles, tags, folders and first prompts.
    const { data } = await client.query('sessions:list', { search: words, limit: 50 });
    return {
      rows: data.map((/** @type {any} */ row) => hitView({
        ...row, seq: null, ts: row.lastTs,
        snippet: row.title ?? row.sessionId
      })), note: 'This bridge searches titles, tags, folders and first prompts.'
    };
  }
}

/** @param {any} hit */
function hitView(hit) {
  const number = Number.isInteger(hit.seq) ? hit.seq : null;
  const href = routeHash({
    view: 'session', sessionId: String(hit.sessionId), journal: String(hit.journal ?? ''), number,
    ...(number !== null && { isUpdate: true })
  });
  return h('a.hit', { href, role: 'listitem' }, h('span.hit-text', { dir: 'auto' }, exact(String(hit.snippet ?? ''))),
    h('span.session-facts', null, h('span', null, exact(String(hit.title ?? hit.sessionId))),
      h('span', null, exact(String(hit.agent ?? ''))), hit.ts && h('time', null, ago(hit.ts, bridgeNow()))));
}
