// One session: header, plan, rows, composer.

import { ownAnswer } from './asks.js';
import { bridgeNow } from './bridge-clock.js';
import { composer } from './composer.js';
import { asked, confirmed, download, openDialog } from './dialogs.js';
import { announce, h, icon, perFrame, replace, toast } from './dom.js';
import { copyText, outputView } from './draw.js';
import { exportDialog } from './export-dialog.js';
import { Feed, locateUpdate } from './feed.js';
import { findBar } from './find-bar.js';
import { markFound } from './find-mark.js';
import { Groups } from './groups.js';
import { hasAgent, isOver } from './order.js';
import { presence } from './presence.js';
import { replayView } from './replay.js';
import { refusal, unreached } from './rights.js';
import { routeHash } from './routes.js';
import { drawRow, isTouched } from './rows.js';
import { Scroller } from './scroller.js';
import { shareDialog } from './share.js';
import { sessionHead, showDetails } from './session-head.js';
import { costPoints, spendingOf, sumsText } from './spending.js';
import { count, exact, plural, sessionName, stopText } from './text.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./timeline.js').Row} Row */

/** The pause before a session that could not be read is requested again. */
const READ_AGAIN_MS = 5000;
/** The most pages that one press of a key loads to find a prompt. */
const STEP_PAGES = 20;

/**
 * @param {Store} store
 * @param {{ sessionId: string, journal: string, number: number | null, isUpdate?: boolean }} route
 */
export function sessionView(store, route) {
  const client = /** @type {import('./tinyvex.js').TinyvexClient} */ (store.client);
  const name = { sessionId: route.sessionId, ...(route.journal && { journal: route.journal }) };
  /** @type {any} */ let facts = null;
  /** Why the bridge does not have the session; empty if it has. */
  /** @type {string} */ let gone = '';
  /** Why the session's state could not be read. It is requested again, because its bridge can be away. */
  let unread = '';
  let readTs = 0;
  let openedTs = 0;
  let isClosed = false;
  /** The number of times that a place was gone to. An earlier one that still loads is given up. */
  let goings = 0;
  /** The row of a session that could not be read and is not on the loaded pages of the list. */
  /** @type {any} */ let unlisted = null;
  const ownRow = () => store.row(route) ?? unlisted;
  let seen = 0;
  let promptsSeen = 0;
  let isAsked = false;
  /** @type {any} */ let replaying = null;
  /** @type {any} */ let finding = null;
  /** The text that is marked. */
  let query = '';

  const plan = h('div.plan-holder');
  const banner = h('div.banner', { role: 'status' });
  const scroll = h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': 'Conversation' });
  const jump = h('button.jump', { type: 'button', hidden: true, onclick: () => toEnd() }, icon('down'), h('span', null, ''));
  const writer = composer(store, { sessionId: route.sessionId }, () => toEnd());
  const stage = h('div.stage', null, scroll, jump);
  const changed = perFrame(() => draw());
  const mark = perFrame(() => { if (query) markFound(scroll, query); });
  const groups = new Groups(isTouched);
  /** @type {Feed} */ const feed = new Feed(client, name, { onChange: changed, isAtEnd: () => scroller.isAtEnd });
  /** Which bridge is not reached, and since when; empty if the session's bridge is reached. */
  const away = () => unreached(unread ? ownRow() ?? facts : facts ?? ownRow(), bridgeNow());
  const lost = () => (gone ? (facts ? 'Deleted' : 'Not found') : away() ? 'Not reached' : unread ? 'Not readable' : '');
  /** Without a connection, it is not known whether the agent still works. */
  let knownTs = 0;
  const now = () => {
    if (store.connection.phase === 'live' || knownTs === 0) knownTs = bridgeNow();
    return knownTs;
  };
  const known = () => ({ now: now(), facts, row: ownRow(), lost: lost(), ownName: store.who, asking: store.asks.length });
  const head = sessionHead(route.sessionId, feed, /** @type {() => any} */(known), { menu: () => menu(), toggleChanges });
  const drawHead = head.draw;
  const element = h('section.session-view', { 'aria-label': 'Session' }, head.element, plan, banner, stage, writer.element);

  const context = {
    link: (/** @type {number} */ number) => routeHash({
      view: 'session', sessionId: route.sessionId,
      journal: feed.journal || route.journal, number
    }),
    onLoad: (/** @type {number} */ number) => showEntry(number),
    nameOf: (/** @type {string} */ sessionId) => {
      const row = store.row({ sessionId, agent: facts?.agent });
      return row ? sessionName(row) : '';
    },
    onGap: (/** @type {number} */ from) => { location.hash = context.link(from); },
    onGroup: (/** @type {number} */ id) => { groups.toggle(id); showRows(); },
    onRetry: store.canControl ? (/** @type {Row} */ failed) => {
      const { rows } = feed.timeline;
      const prompt = rows.slice(0, Math.max(0, rows.indexOf(failed))).reverse().find(({ kind }) => kind === 'prompt');
      if (prompt?.text) writer.write(prompt.text); else toast('The prompt is not loaded. Scroll up to load it.', { isFault: true });
    } : undefined,
    asks: {
      session: () => named(),
      refusal: () => (isOver(facts) ? 'The agent has ended.'
        : refusal(store.canControl, facts, 'Answering', bridgeNow())),
      author: (/** @type {string} */ who) => store.author(who, facts),
      mutate: (/** @type {string} */ method, /** @type {any} */ args) => store.answer(method, args),
      // Only answered requests are drawn again: a form that a person is filling in stays.
      onChange: () => {
        for (const row of feed.timeline.rows) if (row.ask && ownAnswer(context.asks.session(), row.ask.requestId)) row.version += 1;
        changed();
      },
      onLoad: (/** @type {number} */ number) =>
        showEntry(number || (feed.timeline.rows.find((row) => row.ask?.params?.omittedBytes)?.first ?? 0)),
    },
  };
  /** @type {Scroller} */ const scroller = new Scroller(scroll, {
    draw: (row, earlier) => {
      if (query) mark();
      const element = drawRow(row, earlier, context);
      element.classList.toggle('grouped', groups.has(row));
      return element;
    }, onScroll: () => scrolled(),
  });

  const showRows = () => { scroller.rows = groups.rowsOf(feed.timeline.rows); };

  let placeTimer = 0;
  /** The browser's history keeps the place, so that Back and a reload return to it. A new link to the session opens its end. */
  function keepPlace() {
    // The entry of a dialog is left soon.
    if (history.state?.dialog) return;
    const place = scroller.isAtEnd && feed.isFollowing ? null : scroller.place;
    // Safari throws if a page calls this more than 100 times in 30 s.
    try { history.replaceState(place && { place }, ''); } catch { /* The next scroll tries again. */ }
  }

  function scrolled() {
    if (!feed.isOpen) return;
    clearTimeout(placeTimer);
    placeTimer = window.setTimeout(keepPlace, 400);
    if (scroller.isAtStart && feed.first > 1) feed.loadEarlier();
    if (!feed.isFollowing && !feed.fault && scroller.isNearEnd) feed.loadLater();
    if (scroller.isAtEnd) seen = feed.arrived;
    drawJump();
  }

  function draw() {
    if (replaying) return;
    // The facts can be older than the timeline, which has another start of an agent then.
    const hasEnded = isOver(facts) && feed.timeline.lastStartTs <= (facts.lastTs ?? Infinity);
    if (hasEnded && feed.isOpen && feed.isFollowing && feed.last >= feed.head) {
      feed.timeline.agentIsGone(facts.end?.reason === 'interrupted');
    }
    showRows();
    if (scroller.isAtEnd) seen = feed.arrived;
    const prompts = feed.timeline.rows.filter((row) => row.kind === 'prompt');
    for (const { id, text, ts } of prompts.slice(-3)) if (id > promptsSeen) { promptsSeen = id; writer.arrived(text ?? '', ts); }
    isAsked = feed.timeline.rows.some((row) => row.ask?.state === 'pending');
    drawJump();
    drawBanner();
    drawHead();
    if (feed.isOpen && !feed.fault && feed.first > 1 && scroll.scrollHeight <= scroll.clientHeight * 1.5) feed.loadEarlier();
  }

  function drawJump() {
    const fresh = feed.arrived - seen;
    // It would lie on the buttons of the request that it leads to.
    jump.hidden = gone !== '' || (scroller.isAtEnd && feed.isFollowing) || (isAsked && isAskInView());
    const label = !feed.isFollowing ? 'To the newest' : isAsked ? 'Needs you' : fresh > 0 ? `${count(fresh)} new` : 'To the end';
    jump.classList.toggle('waiting', isAsked);
    if (jump.lastElementChild) jump.lastElementChild.textContent = label;
  }

  function isAskInView() {
    const { top, bottom } = scroll.getBoundingClientRect();
    return [...scroll.querySelectorAll('.ask[data-state="pending"]')].some((ask) => {
      const box = ask.getBoundingClientRect();
      return box.top < bottom && box.bottom > top;
    });
  }

  function drawBanner() {
    const behind = feed.isFollowing && feed.isOpen ? feed.head - feed.last : 0;
    const fault = feed.fault || unread;
    const isLoaded = feed.timeline.rows.length > 0;
    const text = gone || (away() ? `${away()} ${isLoaded ? 'What is loaded can be read.' : 'The session can be read when it is back.'}`
      : fault ? `The bridge reports: ${fault}` : !feed.isOpen ? 'Loading…' : behind > 50 ? `Behind by ${plural(behind, 'update')}` : '');
    banner.textContent = text;
    banner.hidden = text === '';
  }

  function toEnd() {
    goings += 1;
    seen = feed.arrived;
    scroller.isAtEnd = true;
    if (feed.isFollowing) scroller.toEnd(); else feed.openAtEnd();
  }

  /**
   * Shows the whole of one entry, which a row holds only a part of.
   * @param {number} number
   */
  async function showEntry(number) {
    const body = h('div.dialog-body', null, 'Loading…');
    const dialog = openDialog(`Number ${number}`, body, { isWide: true });
    try {
      const entry = await feed.entry(number);
      const text = wholeText(entry);
      replace(body, h('div.dialog-actions', null, h('button', { type: 'button', onclick: () => copyText(text) }, 'Copy'),
        h('button', { type: 'button', onclick: () => download(text, `${route.sessionId}-${number}.txt`) }, 'Save as a file')),
        outputView(text.length > 2_000_000 ? `${text.slice(0, 2_000_000)}\n… The rest is in the file.` : text));
    } catch (error) {
      body.textContent = `This could not be loaded: ${/** @type {Error} */ (error).message}`;
    }
    dialog.focus();
  }

  function toggleChanges() {
    location.hash = routeHash({ view: 'changes', sessionId: route.sessionId, journal: feed.journal || route.journal });
    // Back in the changes then leaves their entry.
    history.replaceState({ fromSession: true }, '');
  }

  async function act(/** @type {() => Promise<any> | undefined} */ work, /** @type {string} */ done) {
    try { await work(); if (done) toast(done); } catch (error) { toast(/** @type {Error} */(error).message, { isFault: true }); }
  }

  const named = () => ({
    sessionId: route.sessionId, ...(facts?.agent && { agent: facts.agent }),
    ...(facts?.journal && { journal: facts.journal })
  });

  async function readSpent() {
    const points = await costPoints(client, named());
    const { today, week } = spendingOf([{ row: { ...facts, parentId: undefined }, points }], bridgeNow());
    return { today: sumsText(today), week: sumsText(week) };
  }

  function menu() {
    const item = (/** @type {string} */ label, /** @type {() => void} */ work, more = {}) =>
      h('button.menu-item', {
        type: 'button', role: 'menuitem', onclick: () => {
          details.open = false;
          // A dialog returns the focus to where it was.
          details.querySelector('summary')?.focus();
          work();
        }, ...more
      }, label);
    // A link to one session permits prompts and answers, and no changes of the bridge's record.
    const control = facts && !refusal(store.canControl, facts, '', bridgeNow()) && !store.isShared && !gone;
    const summary = h('summary.icon-button', { 'aria-label': 'More', title: 'More', 'aria-haspopup': 'menu' }, icon('more'));
    const details = h('details.menu', null, summary,
      h('div.menu-items', { role: 'menu', tabindex: '-1' },
        item('Find', () => find()),
        item('Changes', toggleChanges),
        item('Details', () => showDetails(route.sessionId, facts, feed, readSpent)),
        item('Replay', () => startReplay()),
        item('Copy a link', () => copyText(location.origin + location.pathname + context.link(feed.last))),
        item('Save as a file', () => exportDialog(client, named(), facts)),
        control && !facts.bridge && item('Share a link', () => shareDialog(client, named(), store.device?.role === 'admin')),
        control && item('Rename', () => rename()),
        control && item('Tags', () => editTags()),
        control && item(facts.archived ? 'Unarchive' : 'Archive', () => archive(!facts.archived)),
        control && !facts.bridge && (hasAgent(facts) ? facts.muted !== undefined : facts.muted) && item(
          facts.muted ? 'Unmute notifications' : 'Mute notifications',
          () => act(() => client.mutate('sessions:mute', { ...named(), muted: !facts.muted }),
            facts.muted ? 'Notifications of this session are sent again.' : 'Notifications of this session are muted, on all devices.')),
        control && hasAgent(facts) && item('Stop the agent', () => confirmed('Stop this agent and all its sessions?', 'Stop',
          () => act(() => client.action('agents:stop', named()), 'The agent is ending.'))),
        control && !hasAgent(facts) && item('Delete', () => confirmed('Delete this session and all its updates for good?', 'Delete',
          () => act(async () => {
            await client.mutate('sessions:delete', named());
            location.hash = '#/';
          }, 'Deleted.')), { class: 'menu-item danger' })));
    details.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape' && details.open) {
        details.open = false;
        details.querySelector('summary')?.focus();
        event.stopPropagation();
      }
      const items = [...details.querySelectorAll('.menu-item')];
      const place = items.indexOf(document.activeElement);
      const next = /** @type {Record<string, number>} */ ({
        ArrowDown: (place + 1) % items.length, ArrowUp: place < 0 ? -1 : place - 1, Home: 0, End: -1,
      })[event.key];
      if (next === undefined || !details.open) return;
      event.preventDefault();
      items.at(next)?.focus();
    });
    details.addEventListener('focusout', (/** @type {FocusEvent} */ event) => {
      if (event.relatedTarget && !details.contains(/** @type {Node} */(event.relatedTarget))) details.open = false;
    });
    return details;
  }

  /** @param {boolean} archived @param {boolean} [isUndo] @returns {Promise<void>} */
  const archive = (archived, isUndo = false) => act(async () => {
    await client.mutate('sessions:archive', { ...named(), archived });
    const action = { label: 'Undo', work: () => archive(!archived, true) };
    toast(archived ? 'Archived.' : 'Unarchived.', isUndo ? {} : { action });
  }, '');

  function rename() {
    const field = h('input', { type: 'text', value: facts?.title ?? '', maxlength: 250, 'aria-label': 'Title' });
    asked('Rename', field, () => act(() => client.mutate('sessions:setTitle', { ...named(), title: field.value.trim() || null }), ''));
  }

  function editTags() {
    const field = h('input', {
      type: 'text', value: (facts?.tags ?? []).join(', '), maxlength: 2000,
      'aria-label': 'Tags, separated by commas'
    });
    const tags = () => [...new Set(field.value.split(',').map((/** @type {string} */ tag) => tag.trim()).filter(Boolean))];
    asked('Tags, separated by commas', field, () => act(() => client.mutate('sessions:setTags', { ...named(), tags: tags() }), ''));
  }

  function startReplay() {
    if (replaying) return;
    replaying = replayView(client, { ...name, journal: feed.journal || route.journal }, context, () => {
      replaying.element.remove();
      replaying = null;
      changed();
      scroll.focus({ preventScroll: true });
    });
    element.append(replaying.element);
    replaying.focus();
  }

  /**
   * Marks the hits, and brings the one that was chosen into view.
   * @param {Row | null} row
   * @param {string} text
   * @param {(first: number, last: number) => number} isOlder How many of the hits between two numbers are older.
   */
  function showHit(row, text, isOlder) {
    query = text;
    const marks = markFound(scroll, text);
    const element = row && scroll.querySelector(`[data-row="${row.id}"]`);
    const own = marks.filter((mark) => element?.contains(mark.startContainer));
    const chosen = row && own[Math.min(own.length - 1, isOlder(row.first, row.last))];
    if (!chosen) return;
    const { top, bottom } = chosen.getBoundingClientRect();
    const view = scroll.getBoundingClientRect();
    if (top < view.top || bottom > view.bottom) scroll.scrollBy(0, top - view.top - view.height / 2);
  }

  function find() {
    if (replaying) return;
    finding ??= findBar(client, () => ({ session: { ...name, journal: feed.journal || route.journal }, head: feed.head }), {
      onHit: (number, query, isOlder) => openAt(number, false).then((row) => showHit(row, query, isOlder)),
      onClose: () => { finding = null; query = ''; markFound(scroll, ''); scroll.focus(); },
    });
    if (!finding.element.isConnected) stage.before(finding.element);
    finding.focus();
  }

  let planShape = '';
  function drawPlan() {
    const entries = Array.isArray(facts?.plan?.entries) ? facts.plan.entries : [];
    const shape = JSON.stringify(entries);
    if (shape === planShape) return;
    planShape = shape;
    const done = entries.filter((/** @type {any} */ entry) => entry?.status === 'completed').length;
    const current = entries.find((/** @type {any} */ entry) => entry?.status === 'in_progress')
      ?? entries.find((/** @type {any} */ entry) => entry?.status !== 'completed');
    const isOpen = plan.querySelector('details')?.open ?? false;
    replace(plan, entries.length > 0 && h('details.plan', { open: isOpen },
      h('summary', null, h('span.plan-count', null, `Plan ${done}/${entries.length}`),
        h('span.summary-text', null, exact(String(current?.content ?? 'Done')))),
      h('ol', null, entries.slice(0, 100).map((/** @type {any} */ entry) =>
        h('li', { 'data-status': entry?.status }, exact(String(entry?.content ?? '')))))));
  }

  const viewed = () => (hasAgent(facts) && !facts.unreachableTs ? named() : null);
  const present = presence(client, viewed, (who) => {
    // For another bridge, all clients of this one are the same viewer.
    if (who === store.who || facts?.bridge) return;
    store.who = who;
    // The names of their authors can change.
    for (const row of feed.timeline.rows) if (row.by) row.version += 1;
    if (facts && !gone) writer.draw(facts);
    changed();
  });
  const watched = () => client.watch('sessions:get', { ...name, toolCalls: false }, {
    onValue: (value) => {
      const isNew = !facts || (!hasAgent(facts) && hasAgent(value));
      const isDone = facts?.turn?.state === 'running' && value?.turn && value.turn.state !== 'running';
      if (isDone && feed.isFollowing) announce(stopText(value.turn.error ? 'error' : value.turn.stopReason) || 'The turn has ended.');
      facts = value;
      unread = '';
      if (isNew) present.report();
      drawHead();
      drawPlan();
      writer.draw(facts);
      changed();
    },
    onError: (error) => {
      if (error.code === 'TVX008') {
        gone = facts ? 'This session was deleted. What is loaded can be read until you leave it.'
          : 'There is no such session on this bridge. It may have been deleted.';
        writer.draw(null);
      } else if (error.isFinal && error.code === '-32603') [unread, readTs] = [error.message, Date.now()];
      else if (error.isFinal) gone = error.message;
      if (unread && !store.row(route)) findRow();
      drawHead();
      drawBanner();
      drawJump();
    },
  });

  const findRow = () => client.query('sessions:list', name).then(({ data }) => {
    if (isClosed) return;
    unlisted = data[0] ?? null;
    drawHead();
    drawBanner();
  }, () => { });
  let watch = watched();
  let wasAway = false;
  /** A session that could not be read is read when its bridge is back. */
  function readAgain() {
    const isAway = away() !== '';
    if (isAway !== wasAway) changed();
    if (unread && (!isAway || !store.row(route)) && Date.now() - readTs > READ_AGAIN_MS) {
      readTs = Date.now();
      watch.close();
      watch = watched();
    }
    const isBack = wasAway && !isAway;
    const isReached = !isAway || (unread !== '' && !store.row(route));
    if (feed.fault && !feed.isBroken && !gone && isReached && (isBack || Date.now() - openedTs > READ_AGAIN_MS)) {
      // The pause begins when this has ended.
      openedTs = Infinity;
      (feed.timeline.rows.length === 0 ? openFirst() : feed.openAgain()).finally(() => { openedTs = Date.now(); });
    }
    wasAway = isAway;
  }

  drawHead();
  drawBanner();
  const place = history.state?.place;
  /** Opens the place that the person has left, or the number of the link, or the end. */
  const openFirst = () => (Number.isInteger(place?.number) ? openAt(place.number, false, Number(place.offset) || 0)
    : route.number === null ? feed.openAtEnd() : openAt(route.number, route.isUpdate ?? false));
  const opening = openFirst();
  const timer = setInterval(() => { readAgain(); drawHead(); }, 1000);

  /**
   * @param {number} number
   * @param {boolean} isUpdate The number is that of an update instead of an entry.
   * @param {number | null} [offset] For a place that a person has left: the row's place in the viewport.
   * @returns {Promise<Row | null>} Null if there is none, or if the person has gone to another place meanwhile.
   */
  async function openAt(number, isUpdate, offset = null) {
    goings += 1;
    const own = goings;
    const isCurrent = () => own === goings && !isClosed;
    const target = isUpdate ? await locateUpdate(client, name, number).catch(() => number) : number;
    if (!isCurrent()) return null;
    scroller.isAtEnd = false;
    const isLoaded = feed.isOpen && feed.timeline.rows.length > 0 && target >= feed.first && target <= feed.last;
    if (!isLoaded) await feed.openAt(target);
    // Entries of a stream that follows can still be on their way.
    for (let tries = 0; tries < 40 && isCurrent() && !(feed.isOpen && feed.timeline.rows.length > 0); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // The banner names a fault.
    if (!isCurrent() || (feed.fault && feed.timeline.rows.length === 0)) return null;
    showRows();
    const row = [...feed.timeline.rows].reverse().find(({ first }) => first <= target) ?? feed.timeline.rows[0];
    // A link leads to one of the calls of a group. A place that a person has left is that of the group.
    if (row && offset === null) { groups.reveal(row); showRows(); }
    const found = row && scroller.reveal(groups.visible(row).id, offset);
    if (offset !== null) return row ?? null;
    for (const earlier of scroll.querySelectorAll('.row.target')) earlier.classList.remove('target');
    found?.classList.add('target');
    announce(found ? `Number ${target}.` : 'This number is not stored.');
    return row ?? null;
  }

  scroll.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.target !== scroll || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    // The browser scrolls to what is loaded only, and in steps, which end when rows come.
    const go = /** @type {Record<string, () => void>} */ ({ Home: () => openAt(1, false, 0), End: () => toEnd() })[event.key];
    if (!go) return;
    event.preventDefault();
    if (!event.repeat) go();
  });

  /**
   * The prompt before or after the place in view, if it is loaded.
   * @param {number} direction
   */
  function promptBeside(direction) {
    const number = scroller.place?.number ?? 0;
    const prompts = feed.timeline.rows.filter((row) => row.kind === 'prompt');
    // The prompt at the top is the one that was gone to before.
    const isBeyond = (/** @type {Row} */ row) => { const top = scroller.topOf(row.id); return top === null || top * direction > 4; };
    return direction < 0 ? prompts.reverse().find((row) => row.first <= number && isBeyond(row))
      : prompts.find((row) => row.first >= number && isBeyond(row));
  }

  /** @param {number} direction -1 for the previous prompt, 1 for the next one. */
  async function stepPrompt(direction) {
    if (replaying || !feed.isOpen) return;
    let row = promptBeside(direction);
    for (let pages = 0; !row && direction < 0 && pages < STEP_PAGES && await feed.loadEarlier(); pages += 1) row = promptBeside(direction);
    if (isClosed) return;
    if (row) { showRows(); scroller.reveal(row.id, 0); announce(row.text ?? ''); return; }
    if (direction > 0) toEnd();
    else announce(feed.first > 1 ? 'No prompt is loaded. Press [ again to load more.' : 'There is no earlier prompt.');
  }

  return {
    element,
    opening,
    stepPrompt,
    sessionId: route.sessionId,
    onConnection(/** @type {boolean} */ isNew) {
      if (isNew) present.report();
      readAgain();
      drawHead();
      if (facts && !gone) writer.draw(facts);
    },
    focus: () => scroll.focus({ preventScroll: true }),
    focusComposer: () => writer.focus(),
    /** Ends what covers the session. Returns false if nothing does. */
    escape() {
      if (!replaying) return false;
      replaying.end();
      return true;
    },
    find,
    toggleChanges,
    close() {
      isClosed = true;
      present.close();
      writer.close();
      finding?.close();
      clearInterval(timer);
      clearTimeout(placeTimer);
      watch.close();
      feed.close();
      scroller.close();
      replaying?.close();
    },
  };
}

/**
 * The texts of an entry, for a person.
 * @param {any} entry
 */
function wholeText(entry) {
  const update = entry?.notification?.params?.update ?? entry?.data ?? {};
  const contents = (Array.isArray(update.content) ? update.content : [update.content]).filter(Boolean);
  const texts = contents.map((/** @type {any} */ item) => item?.content?.text ?? item?.text
    ?? (item?.type === 'diff' ? `--- ${item.path}\n${item.oldText ?? ''}\n+++ ${item.path}\n${item.newText ?? ''}` : null));
  if (texts.length > 0 && texts.every((/** @type {any} */ text) => typeof text === 'string')) return texts.join('\n');
  if (Array.isArray(update.prompt)) return update.prompt.map((/** @type {any} */ block) => block?.text ?? '').join('\n');
  return JSON.stringify(entry, null, 2) ?? 'This entry is no longer stored.';
}
