// The list of sessions.

import { beginDialog } from './begin-dialog.js';
import { canBegin, startKeys, startRows } from './begin-session.js';
import { bridgeNow } from './bridge-clock.js';
import { h, iconButton, moveFocus, replace } from './dom.js';
import { codeBlock } from './draw.js';
import { awayText } from './rights.js';
import { routeHash } from './routes.js';
import { folded, sessionKey } from './order.js';
import { bridgeName } from './session-head.js';
import { ago, exact, middleCut, plural, sessionName, shortPath, stopText } from './text.js';
import { selection } from './selection.js';
import { ROW_LIMIT } from './store.js';
import { dayStart, spendingReader, sumsText } from './spending.js';
import { costOf, costText, limitLabel, limitText, rateLimitOf } from './usage.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./order.js').ListedSession} ListedSession */
/** @typedef {import('./order.js').Fold} Fold */

/** The pauses before the first sum of what was spent, beside which sessions are opened, and between two of them. */
const FIRST_SPENDING_MS = 3000;
const SPENDING_MS = 60_000;
/** The pause on a phone, where a sum of many sessions takes long. */
const PHONE_SPENDING_MS = 600_000;

const GROUPS = /** @type {const} */ ({ waiting: 'Needs you', running: 'Working', idle: 'Ready', away: 'Not reached', ended: 'Ended' });

/** @param {Store} store */
export function listView(store) {
  const items = h('div.sessions');
  const status = h('div.list-status', { role: 'status' });
  const more = h('button.load', { type: 'button', hidden: true, onclick: () => store.loadMore() }, 'Show more');
  const field = h('input.filter', {
    type: 'search', dir: 'auto', placeholder: 'Filter', 'aria-label': 'Filter sessions', maxlength: 200, autocomplete: 'off',
    value: store.filter,
  });
  const archived = h('input', { type: 'checkbox', id: 'archived', checked: store.showsArchived });
  let timer = 0;
  const apply = () => store.setFilter(field.value.trim(), archived.checked);
  field.addEventListener('input', () => { clearTimeout(timer); timer = window.setTimeout(apply, 150); });
  archived.addEventListener('change', apply);
  const chooser = selection(store, items, keyOf);
  const starting = h('div.starts');
  const spent = h('a.spent', { href: routeHash({ view: 'usage' }), title: 'What the sessions have cost', hidden: true });
  const drawSpent = spending(store, spent, items);
  const begin = iconButton('add', 'New session', () => beginDialog(store), { hidden: true });
  const element = h('section.list-view', { 'aria-label': 'Sessions' }, h('h1.only-heard', null, 'Sessions'),
    h('div.list-head', null, field, h('label.archived', { for: 'archived' }, archived, 'Archived'), chooser.button, begin), spent, starting,
    items, status, more, chooser.bar);
  items.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => moveFocus(event, 'a.session'));
  /** One session is a stop of the Tab key: arrows lead to the others. */
  const setStop = (/** @type {HTMLElement | null | undefined} */ link) => {
    if (!link) return;
    items.querySelector('a.session[tabindex="0"]')?.setAttribute('tabindex', '-1');
    link.tabIndex = 0;
  };
  items.addEventListener('focusin', (/** @type {any} */ event) => setStop(event.target.closest('a.session')));
  /** @type {Map<string, { element: HTMLElement, facts: string }>} */ const drawn = new Map();
  /** What a person has folded or unfolded, by the session above. @type {Map<string, boolean>} */
  const folds = new Map();
  let open = '';
  const toggle = (/** @type {string} */ key, /** @type {boolean} */ isOpen) => {
    if (folds.size >= ROW_LIMIT) folds.clear();
    folds.set(key, isOpen);
    draw(open);
  };
  let revealed = '';
  /** A session that was opened by a link can be far down. */
  const reveal = (/** @type {string} */ current) => {
    if (current === revealed || !store.first) return;
    revealed = current;
    items.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  };
  /** @param {string} current */
  const draw = (current) => {
    open = current;
    const listed = store.sessions;
    const shown = folded(listed, (parent) => folds.get(keyOf(parent)));
    // A new button would lose a press.
    if (starting.dataset.keys !== startKeys()) replace(starting, ...startRows(store));
    starting.dataset.keys = startKeys();
    drawItems(items, shown, drawn, current, toggle);
    if (!items.querySelector('a.session[tabindex="0"]')) setStop(items.querySelector('a.session[aria-current], a.session'));
    chooser.draw(listed);
    reveal(current);
    begin.hidden = !canBegin(store);
    more.hidden = !store.canLoadMore;
    // It is announced, and its button can have the focus.
    const text = statusText(store, listed);
    const key = typeof text === 'string' ? text : text.textContent;
    if (key !== status.dataset.key) replace(status, text);
    status.dataset.key = key;
    drawSpent(listed);
  };
  return { element, draw, choose: () => chooser.begin(), escape: () => chooser.escape() };
}

/**
 * Keeps the sum of what was spent up to date. Returns a function that reads it again if it is old.
 * @param {Store} store @param {HTMLElement} element @param {HTMLElement} items The list: on a phone, it is hidden while a session is open.
 */
function spending(store, element, items) {
  let nextTs = 0;
  let known = '';
  let isRead = false;
  const show = (/** @type {string} */ today, /** @type {string} */ week) => {
    element.hidden = week === '';
    replace(element, h('span', null, `Today ${today || '–'}`), h('span', null, `Seven days ${week}`));
  };
  const draw = (/** @type {ListedSession[]} */ listed) => {
    const costs = listed.flatMap(({ row }) => costOf(row.usage) ?? []);
    if (!store.client || store.isShared || costs.length === 0) return;
    if (nextTs === 0) {
      nextTs = Date.now() + FIRST_SPENDING_MS;
      setTimeout(() => draw(store.sessions), FIRST_SPENDING_MS);
      // A line that comes later would move the sessions under a finger.
      show('…', '…');
    }
    const state = JSON.stringify([dayStart(bridgeNow()), costs]);
    if (state === known || document.hidden || !items.offsetParent || Date.now() < nextTs) return;
    known = state;
    nextTs = Date.now() + (matchMedia('(max-width: 899px)').matches ? PHONE_SPENDING_MS : SPENDING_MS);
    spendingReader(store.client).read(bridgeNow()).then(({ today, week, isPart }) => {
      isRead = true;
      const sums = sumsText(week);
      show(sumsText(today), sums && isPart ? `${sums} or more` : sums);
    }, () => {
      known = '';
      // The line stays, so that the sessions do not move. The next change of the list reads again.
      if (!isRead) show('–', '–');
    });
  };
  return draw;
}

/** @param {ListedSession} session */
const keyOf = ({ row }) => `${sessionKey(row)}:${row.journal}`;

/** @param {Store} store @param {ListedSession[]} listed */
function statusText(store, listed) {
  if (!store.first) return 'Loading…';
  if (listed.length > 0 && store.isListFull && listed.length < store.total) {
    return `${plural(listed.length, 'session')} of ${store.total.toLocaleString('en')} are listed. Filter or search to find the others.`;
  }
  if (listed.length > 0) return listed.length < store.total ? `${plural(listed.length, 'session')} of ${store.total.toLocaleString('en')}`
    : '';
  if (store.filter) return `No session matches “${store.filter}”.`;
  if (store.showsArchived) return 'No session is archived.';
  return h('div.no-sessions', null,
    'No sessions yet. To try one, run this on the bridge’s machine:', codeBlock('acpbridge run --agent demo "hello"'),
    'With an agent of your own: ', h('code', null, 'acpbridge agents'), ' lists the names, and ', h('code', null, 'acpbridge setup'),
    ' adds one to your editor.',
    canBegin(store) && h('p', null, h('button.primary', { type: 'button', onclick: () => beginDialog(store) }, 'New session')));
}

/**
 * @param {HTMLElement} items
 * @param {(ListedSession | Fold)[]} listed
 * @param {Map<string, { element: HTMLElement, facts: string }>} drawn
 * @param {string} current The id of the session that is open.
 * @param {(key: string, isOpen: boolean) => void} toggle
 */
function drawItems(items, listed, drawn, current, toggle) {
  /** @type {HTMLElement[]} */ const wanted = [];
  const kept = new Set();
  let group = '';
  const now = bridgeNow();
  const keep = (/** @type {string} */ key, /** @type {string} */ facts, /** @type {() => HTMLElement} */ make) => {
    kept.add(key);
    const known = drawn.get(key);
    if (known?.facts === facts) return wanted.push(known.element);
    const element = make();
    if (known && known.element.contains(document.activeElement)) {
      queueMicrotask(() => /** @type {HTMLElement} */(element.matches('a') ? element : element.querySelector('button') ?? element).focus());
    }
    drawn.set(key, { element, facts });
    return wanted.push(element);
  };
  for (const session of listed) {
    if ('parent' in session) {
      const key = keyOf(session.parent);
      keep(`fold:${key}`, `${session.count}:${session.isOpen}`, () => fold(session, () => toggle(key, !session.isOpen)));
      continue;
    }
    if (session.depth === 0 && session.section !== group) {
      group = session.section;
      const title = GROUPS[session.section];
      keep(`group:${group}`, title, () => h('h2.group', { 'data-group': session.section }, title));
    }
    const key = keyOf(session);
    const isCurrent = session.row.sessionId === current;
    keep(key, factsOf(session, now, isCurrent), () => item(session, now, isCurrent));
    setTime(/** @type {HTMLElement} */(wanted.at(-1)), session.row.lastTs, now);
  }
  for (const key of [...drawn.keys()]) if (!kept.has(key)) drawn.delete(key);
  let next = items.firstChild;
  for (const element of wanted) {
    if (element === next) next = next.nextSibling; else items.insertBefore(element, next);
  }
  while (next) { const gone = next; next = next.nextSibling; gone.remove(); }
}

/**
 * The facts that an item shows, without its time. A session that works changes others all the time, and a new element would lose a
 * press on it.
 * @param {ListedSession} session @param {number} now @param {boolean} isCurrent
 */
function factsOf({ row, group, section, asks, depth }, now, isCurrent) {
  const { title, agent, cwd, tags, bridge, journal, live, rateLimit, end, unreachableTs, stopReason } = row;
  return JSON.stringify([title, agent, cwd, tags, bridge, journal, live, rateLimit, end, group, section, asks, depth, isCurrent, stopReason,
    usedText(row), costOf(row.usage), unreachableTs && ago(unreachableTs, now)]);
}

/** @param {HTMLElement} element @param {number} lastTs @param {number} now */
function setTime(element, lastTs, now) {
  const time = /** @type {HTMLTimeElement} */ (element.querySelector('time'));
  const text = ago(lastTs, now);
  if (time.textContent === text) return;
  time.textContent = text;
  time.dateTime = new Date(lastTs).toISOString();
}

/** @param {import('./order.js').SessionRow} row */
const usedText = ({ usage }) => (usage?.size ? `${Math.round((100 * usage.used) / usage.size)} %` : '');

/** @param {Fold} fold @param {() => void} onclick */
const fold = ({ count, isOpen }, onclick) => h('div.fold', null,
  h('button.load', { type: 'button', 'aria-expanded': String(isOpen), onclick }, plural(count, 'subagent')));

/** @param {ListedSession} session @param {number} now @param {boolean} isCurrent */
function item(session, now, isCurrent) {
  const { row, group, asks, depth } = session;
  const href = routeHash({ view: 'session', sessionId: row.sessionId, journal: row.journal, number: null });
  const title = sessionName(row);
  const end = endText(row.end);
  const stop = group === 'idle' ? stopText(row.stopReason) : group === 'ended' && end !== 'Ended' ? end : '';
  const state = asks > 0 ? plural(asks, 'request') : {
    waiting: 'Needs you', running: 'Working', idle: stop || 'Ready', away: 'Not reached',
    ended: end,
  }[group];
  const cost = costOf(row.usage);
  const rateLimit = group !== 'ended' && group !== 'away' ? rateLimitOf(row) : null;
  const limit = rateLimit && rateLimit.state !== 'ok' ? limitText(rateLimit, now) : '';
  const usage = usedText(row);
  const element = h('a.session', {
    href, tabindex: '-1', 'data-group': group, 'data-stop': stop ? 'true' : null, 'aria-current': isCurrent ? 'page' : null,
  },
    h('span.dot', { 'aria-hidden': 'true' }),
    h('span.session-title', { dir: 'auto', title: `${title}\n${exact(row.sessionId)}` }, title),
    h('time.when'),
    h('span.session-facts', null, h('span.state', null, state),
      // A session without a title has its agent's name already, as others of the same folder can have.
      h('span', null, row.title ? exact(row.agent) : middleCut(exact(row.sessionId), 13)),
      bridgeName(row.bridge, row.unreachableTs ? awayText(row.unreachableTs, now) : ''),
      // A subagent works in the folder of its parent.
      depth === 0 && row.cwd && h('span.cwd', { title: exact(row.cwd) }, shortPath(exact(row.cwd))),
      limit && rateLimit && h('span.limit', { 'data-state': rateLimit.state, title: limit }, limitLabel(rateLimit)),
      usage && h('span', { title: 'Context used' }, usage),
      cost && h('span', null, costText(cost)),
      row.tags.map((tag) => h('span.tag', null, exact(tag)))));
  element.dataset.key = keyOf(session);
  element.style.setProperty('--depth', String(depth));
  return element;
}

/** @param {any} end */
const endText = (end) => (end?.reason === 'exited' && end.exitCode ? `Exit status ${end.exitCode}`
  : end?.reason === 'signaled' ? `Signal ${end.signal}` : end?.reason === 'interrupted' ? 'Interrupted' : 'Ended');
