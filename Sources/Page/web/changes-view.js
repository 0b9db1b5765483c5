// All changes of a session: the files that its calls have changed, each with its diffs. The page reads the history backward, in
// steps, and follows the session and its subagents.

import { changedFiles, changeFacts, entryDiffs, mergedFiles } from './changes.js';
import { announce, h, icon, moveFocus, replace } from './dom.js';
import { countsView, diffView, lineCounts, pathView } from './draw.js';
import { Feed } from './feed.js';
import { descendants } from './order.js';
import { routeHash } from './routes.js';
import { clock, dateTime, exact, plural, sessionName, shortened } from './text.js';
import { Timeline } from './timeline.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./changes.js').Change} Change */
/** @typedef {import('./changes.js').ChangedFile} ChangedFile */
/** @typedef {import('./changes.js').LineCounts} LineCounts */

/** Entries of one page of the history. A page of another bridge's session takes several requests, so pages are large. */
const PAGE = 5000;
/** Entries that are read back without a press of a button: each is sent whole, so a phone must not read a huge session by itself. */
const STEP = 20_000;
/** The most bytes of changes that are kept. The feed drops the oldest ones above its own limit, which is higher. */
const SIZE_LIMIT = 16 * 1024 * 1024;
/** A diff of two texts is compared up to this size, so larger ones are loaded when they are opened. */
const DIFF_LIMIT = 256 * 1024;
/** Subagents whose changes are listed, the first ones of the list. Each takes a stream, so further ones have links. */
const SUBAGENTS = 8;
/** Files in the list, and diffs of one file, that are drawn at once. */
const FILES = 300;
const DIFFS = 50;
/** The pause between two drawings while an agent works. */
const DRAW_MS = 250;
/** The longest time for which lines are counted without a pause. */
const SLICE_MS = 12;
/** The most counts that are remembered. The lines of further changes are not counted. */
const COUNTS = 20_000;

/** Sessions whose places are remembered. */
const PLACES = 50;

/**
 * The files that a person has opened, and how far they have scrolled: a look at the session loses neither.
 * @type {Map<string, { open: Set<string>, top: number }>}
 */
const left = new Map();

/**
 * @param {Store} store
 * @param {{ sessionId: string, journal: string }} route
 */
export function changesView(store, route) {
  const client = /** @type {import('./tinyvex.js').TinyvexClient} */ (store.client);
  const name = { sessionId: route.sessionId, ...(route.journal && { journal: route.journal }) };
  /** @type {any} */ let facts = null;
  let isClosed = false;
  let isReading = false;
  let isCounting = false;
  let shownFiles = FILES;
  let timer = 0;
  /** The lines of each change, by its key. @type {Map<string, LineCounts | null>} */ const counted = new Map();
  /** @type {Map<string, { element: HTMLElement, key: string }>} */ const drawn = new Map();
  /** @type {ChangedFile[]} */ let files = [];
  const key = JSON.stringify([route.sessionId, route.journal]);
  const { open: opened, top } = left.get(key) ?? { open: new Set(), top: 0 };

  const changed = () => { timer ||= window.setTimeout(draw, feed.isOpen ? DRAW_MS : 0); };
  /** @type {(session: import('./tinyvex.js').SessionName) => Feed} */ const newFeed = (session) => new Feed(client, session, {
    onChange: changed, isAtEnd: () => true, select: changeFacts, page: PAGE, newTimeline: () => new Timeline(DIFF_LIMIT),
  });
  const feed = newFeed(name);
  /** By their sessions' ids. @type {Map<string, { row: import('./order.js').SessionRow, feed: Feed }>} */ const subagents = new Map();
  let isReadingSubagents = false;
  const link = (/** @type {number | null} */ number, /** @type {string | undefined} */ by = undefined) => routeHash({
    view: 'session', sessionId: by ?? route.sessionId, number,
    journal: by ? subagents.get(by)?.feed.journal ?? '' : feed.journal || route.journal,
  });
  /** The bytes of changes that are kept. */
  const size = () => [...subagents.values()].reduce((sum, one) => sum + one.feed.timeline.size, feed.timeline.size);
  const sum = h('span.diff-counts');
  const heading = h('h1', null, 'Changes');
  const title = h('a');
  const count = h('span');
  const status = h('div.list-status', { role: 'status' });
  const list = h('div.changed-files');
  const more = h('button.load', { type: 'button', hidden: true, onclick: () => { shownFiles += FILES; draw(); } }, 'Show more');
  const back = h('a.icon-button', { href: link(null), 'aria-label': 'Back to the session', title: 'Back to the session' }, icon('back'));
  const element = h('section.changes-view', { 'aria-label': 'Changes', tabindex: '-1' },
    h('header.session-head', null, back, h('div.head-text', null, heading, h('p.head-facts', null, count, sum, title))),
    status, list, more);
  element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => moveFocus(event, '.changed-file > summary'));
  for (const way of [back, title]) {
    way.addEventListener('click', (/** @type {MouseEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      leave();
    });
  }

  /** The element that scrolls. */
  const scroller = () => /** @type {HTMLElement | null} */(element.parentElement);

  /** Returns to the place that was left, unless the person has scrolled already. */
  function restorePlace() {
    const main = scroller();
    if (main && top > 0 && main.scrollTop === 0) main.scrollTop = top;
  }

  function keepPlace() {
    left.delete(key);
    left.set(key, { open: opened, top: scroller()?.scrollTop ?? 0 });
    for (const oldest of left.keys()) if (left.size > PLACES) left.delete(oldest);
  }

  /** Back keeps the place in the session, if that is the entry before this one in the browser's history. */
  function leave() {
    if (history.state?.fromSession) history.back(); else location.hash = link(null);
  }

  function draw() {
    clearTimeout(timer);
    timer = 0;
    if (isClosed) return;
    files = mergedFiles([changedFiles(feed.timeline.rows),
    ...[...subagents].map(([id, one]) => changedFiles(one.feed.timeline.rows, id))]);
    readSubagents();
    drawFiles();
    drawHead();
    drawStatus();
    countLines();
  }

  function drawHead() {
    const known = facts ?? store.row(route) ?? {};
    const text = sessionName({ sessionId: route.sessionId, ...known });
    if (title.textContent !== text) title.textContent = text;
    title.setAttribute('href', link(null));
    back.setAttribute('href', link(null));
    document.title = `Changes · ${text} · acpbridge`;
    count.textContent = files.length > 0 ? plural(files.length, 'file') : '';
    replace(sum, ...countsView(files.reduce((all, file) => added(all, countsOf(file)), { added: 0, removed: 0 })));
  }

  function drawStatus() {
    const { first, head, timeline, fault } = feed;
    const further = children().filter(({ sessionId }) => !subagents.has(sessionId));
    const loaded = [...subagents.values()].filter((one) => one.feed.isOpen);
    const cut = isReadingSubagents ? [] : loaded.filter((one) => one.feed.first > 1).map(({ row }) => row);
    const failed = loaded.filter((one) => one.feed.fault);
    const gaps = timeline.rows.flatMap((row) => (row.gap ? [row.gap] : []));
    const isFull = timeline.size >= SIZE_LIMIT;
    const part = `Only the changes from number ${first.toLocaleString('en')} on are listed.`;
    const isPart = feed.isOpen && !isReading && first > 1;
    const read = Math.round((100 * (head - first)) / Math.max(1, head));
    const shape = JSON.stringify([fault, feed.isOpen, isReading && read, isPart && [part, isFull], gaps, files.length === 0,
      isReadingSubagents, [...further, ...cut].map((row) => [row.sessionId, row.title]), failed.map((one) => one.feed.fault)]);
    // A new button would lose a press.
    if (status.dataset.shape === shape) return;
    status.dataset.shape = shape;
    replace(status,
      fault && h('p.error', null, `The bridge reports: ${exact(fault)} `,
        h('button.load', { type: 'button', onclick: again }, 'Try again')),
      !feed.isOpen && !fault && h('p', null, 'Loading…'),
      isReading && feed.isOpen && h('p', null, `Reading the history: ${read} %`),
      isPart && !isFull && h('p', null, `${part} `, h('button.load', { type: 'button', onclick: readBack }, 'Read earlier ones')),
      isPart && isFull && h('p', null, `${part} The earlier ones are too large to list with them: `,
        h('a', { href: link(first) }, 'open the session there'), '.'),
      gaps.length > 0 && h('p', null, gaps.slice(0, 3).map(({ from: start, to }) => `Updates ${start}–${to} are no longer stored. `)),
      feed.isOpen && !isReading && !fault && files.length === 0 && h('p', null, first > 1 ? 'There are none in this part.'
        : 'The agent has reported no changes of files.'),
      isReadingSubagents && h('p', null, 'Reading the changes of subagents…'),
      failed.map((one) => h('p.error', null, `The changes of ${sessionName(one.row)} could not be read: ${exact(one.feed.fault)}`)),
      cut.length > 0 && h('p', null, 'Only the last changes are listed of: ', linksTo(cut)),
      !isReadingSubagents && further.length > 0 && h('p', null, 'Changes of further subagents: ', linksTo(further)));
  }

  /** @param {import('./order.js').SessionRow[]} rows */
  const linksTo = (rows) => rows.slice(0, 20).flatMap((row, at) => [at > 0 && ', ',
  h('a', { href: routeHash({ view: 'changes', sessionId: row.sessionId, journal: row.journal }) }, sessionName(row))]);

  /** The subagents of the session, and theirs. */
  function children() {
    const own = store.row(route);
    return own ? descendants(store.sessions, own) : [];
  }

  /** Reads the changes of subagents that are new in the list, one after the other. */
  async function readSubagents() {
    if (!feed.isOpen || isReading || isReadingSubagents || subagents.size >= SUBAGENTS) return;
    const fresh = children().filter(({ sessionId }) => !subagents.has(sessionId)).slice(0, SUBAGENTS - subagents.size);
    if (fresh.length === 0) return;
    isReadingSubagents = true;
    for (const row of fresh) {
      if (isClosed) return;
      const { sessionId, agent, journal } = row;
      const one = newFeed({ sessionId, agent, ...(journal && { journal }) });
      subagents.set(sessionId, { row, feed: one });
      await opening(one);
      const until = one.first - STEP;
      while (!isClosed && one.first > Math.max(1, until) && size() < SIZE_LIMIT && await one.loadEarlier()) changed();
    }
    isReadingSubagents = false;
    changed();
  }

  /** @param {Feed} one */
  async function opening(one) {
    await one.openAtEnd();
    // The newest entries come by the stream.
    while (!isClosed && !one.isOpen) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  function drawFiles() {
    const shown = files.slice(0, shownFiles);
    const paths = new Set(shown.map(({ path }) => path));
    for (const [path, { element: old }] of drawn) if (!paths.has(path)) { old.remove(); drawn.delete(path); }
    let next = list.firstElementChild;
    for (const file of shown) {
      const own = fileElement(file);
      if (own === next) next = next.nextElementSibling; else list.insertBefore(own, next);
    }
    more.hidden = files.length <= shown.length;
    more.textContent = `Show more of ${plural(files.length, 'file')}`;
  }

  /** @param {ChangedFile} file */
  function fileElement(file) {
    const shape = file.changes.map((change) => change.key).join(';');
    const known = drawn.get(file.path);
    const own = known?.element ?? h('details.changed-file', { open: opened.has(file.path) }, h('summary'));
    if (known?.key !== shape) {
      own.querySelector(':scope > .folded')?.remove();
      own.ontoggle = () => { opened[own.open ? 'add' : 'delete'](file.path); fill(own, file); };
      fill(own, file);
      drawn.set(file.path, { element: own, key: shape });
    }
    drawSummary(own, file);
    return own;
  }

  /** @param {HTMLElement} own @param {ChangedFile} file */
  function drawSummary(own, file) {
    const { changes, path } = file;
    const last = changes[changes.length - 1];
    const waiting = changes.find(({ state }) => state !== 'made')?.state ?? '';
    const lines = countsOf(file);
    const isUnknown = changes.some(({ diff }) => diff.isCut);
    const by = [...new Set(changes.map((change) => change.by && nameOf(change.by)))].filter(Boolean).join(', ');
    const facts = JSON.stringify([lines, waiting, last.places.length, last.key, shownPath(path), by]);
    if (own.dataset.facts === facts) return;
    own.dataset.facts = facts;
    replace(/** @type {Element} */(own.firstElementChild), pathView(shownPath(path)),
      by && h('span.changed-by', { title: by }, by),
      waiting && h('span.status', { 'data-status': waiting }, waiting === 'waiting' ? 'not made yet' : 'running'),
      h('span.diff-counts', null, ...countsView(lines), isUnknown && h('span.dim', null, ' large')),
      h('time.dim', null, clock(last.places[last.places.length - 1].ts)));
  }

  /** @param {HTMLElement} own @param {ChangedFile} file */
  function fill(own, file) {
    if (!(/** @type {HTMLDetailsElement} */(own)).open || own.querySelector(':scope > .folded')) return;
    const body = h('div.folded');
    const drawFrom = (/** @type {number} */ start) => {
      body.append(...file.changes.slice(start, start + DIFFS).map((change) => changeElement(change, file.path)));
      const left = file.changes.length - start - DIFFS;
      if (left <= 0) return;
      const rest = h('button.load', { type: 'button', onclick: () => { rest.remove(); drawFrom(start + DIFFS); } },
        `Show ${plural(Math.min(left, DIFFS), 'further change')} of ${left}`);
      body.append(rest);
    };
    drawFrom(0);
    own.append(body);
  }

  /** @param {Change} change @param {string} path */
  function changeElement(change, path) {
    const { diff, places, state, seq, by } = change;
    const mark = by && h('span.changed-by', null, nameOf(by));
    const way = places.length > 1 ? h('span.places', null, mark, `${places.length} changes in one: `,
      places.slice(0, 30).map((place) => placeLink(place, clock(place.ts), by)), places.length > 30 && '…')
      : h('span.places', null, mark, placeLink(places[0], `${clock(places[0].ts)} ${shortened(exact(places[0].title), 120)}`, by),
        state !== 'made' && h('span.dim', null, state === 'waiting' ? ' waits for an answer' : ' is running'));
    if (!diff.isCut) return diffView(diff, way);
    const holder = h('div', null, h('p.dim', null, 'Loading…'));
    /** @type {Feed} */ const source = subagents.get(by ?? '')?.feed ?? feed;
    source.entry(seq).then((entry) => {
      const whole = entryDiffs(entry, path);
      replace(holder, ...whole.length > 0 ? whole.map((one) => diffView(one, way)) : [way, h('p.dim', null, 'It is no longer stored.')]);
    }, (error) => replace(holder, way, h('p.error', null, `This could not be loaded: ${error.message}`)));
    return holder;
  }

  /** @param {string} by The session of a subagent. */
  const nameOf = (by) => sessionName(store.row({ sessionId: by }) ?? subagents.get(by)?.row ?? { sessionId: by });

  /** @param {{ number: number, ts: number }} place @param {string} text @param {string} [by] */
  const placeLink = ({ number, ts }, text, by) => h('a.place', {
    href: link(number, by), title: `Number ${number}, ${dateTime(ts)}`,
  }, text);

  /** @param {string} path */
  function shownPath(path) {
    const folder = facts?.cwd ? `${facts.cwd}/` : '';
    return exact(folder && path.startsWith(folder) ? path.slice(folder.length) : path);
  }

  /** @param {ChangedFile} file @returns {LineCounts} Of what has been counted. */
  const countsOf = ({ changes }) => changes.reduce((all, { key }) => added(all, counted.get(key)), { added: 0, removed: 0 });

  /** Counts the lines of the changes that are new, in slices, because comparing large texts takes time. */
  async function countLines() {
    if (isCounting) return;
    isCounting = true;
    // Without the file of the diff, there are no counts.
    for (let drawn = 0, isSome = true; !isClosed && isSome;) {
      isSome = await countSome().catch(() => false);
      if (isSome && performance.now() - drawn < DRAW_MS) continue;
      drawn = performance.now();
      drawFiles();
      drawHead();
    }
    isCounting = false;
  }

  /** Counts for a while. Returns whether there was something to count. */
  async function countSome() {
    const began = performance.now();
    let isSome = false;
    const present = files.flatMap(({ changes }) => changes);
    if (counted.size >= COUNTS) {
      const keys = new Set(present.map((change) => change.key));
      for (const known of [...counted.keys()]) if (!keys.has(known)) counted.delete(known);
    }
    for (const { diff, key } of present) {
      if (counted.has(key)) continue;
      if (counted.size >= COUNTS) break;
      counted.set(key, await lineCounts(diff));
      isSome = true;
      if (performance.now() - began > SLICE_MS) break;
    }
    await new Promise((resolve) => setTimeout(resolve));
    return isSome;
  }

  /** Reads the history back, page by page, up to the limits. */
  async function readBack() {
    if (isReading) return;
    isReading = true;
    const until = feed.first - STEP;
    while (!isClosed && feed.first > Math.max(1, until) && feed.timeline.size < SIZE_LIMIT && await feed.loadEarlier()) changed();
    isReading = false;
    if (isClosed) return;
    draw();
    restorePlace();
    announce(`${plural(files.length, 'changed file')}.`);
  }

  async function open() {
    isReading = true;
    await opening(feed);
    isReading = false;
    if (feed.fault) draw(); else await readBack();
  }

  function again() {
    if (feed.timeline.rows.length === 0) open(); else feed.openAgain().then(readBack);
  }

  const watch = client.watch('sessions:get', { ...name, toolCalls: false }, {
    onValue: (value) => {
      const isOther = facts?.cwd !== value.cwd;
      facts = value;
      if (isOther) changed(); else drawHead();
    },
    onError: () => { },
  });
  store.addEventListener('sessions', readSubagents);
  draw();
  open();

  return {
    element,
    sessionId: route.sessionId,
    focus: () => element.focus({ preventScroll: true }),
    toggleChanges: leave,
    escape() { leave(); return true; },
    onConnection() { if (!isClosed) drawStatus(); },
    close() {
      isClosed = true;
      store.removeEventListener('sessions', readSubagents);
      keepPlace();
      clearTimeout(timer);
      watch.close();
      feed.close();
      for (const one of subagents.values()) one.feed.close();
    },
  };
}

/** @param {LineCounts} all @param {LineCounts | null | undefined} more @returns {LineCounts} */
const added = (all, more) => ({ added: all.added + (more?.added ?? 0), removed: all.removed + (more?.removed ?? 0) });
