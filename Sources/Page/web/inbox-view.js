// The inbox: everything that agents ask, over all sessions. Answered requests stay until their agents have moved.

import { bridgeNow } from './bridge-clock.js';
import { adoptAnswer, askCard, ownAnswer } from './asks.js';
import { announce, h, moveFocus, perFrame } from './dom.js';
import { requestKey } from './order.js';
import { awayText, refusal } from './rights.js';
import { routeHash } from './routes.js';
import { bridgeName } from './session-head.js';
import { ago, exact, sessionName, shortPath } from './text.js';
import { Timeline } from './timeline.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./timeline.js').Row} Row */
/** @typedef {{ session: any, bridge?: string, row: Row, askedTs: number, goneTs: number, follower: any, timeline: Timeline }} Card */

/** The time for which a request that was answered is shown, so that a person sees by whom. */
const LINGER_MS = 12_000;
/** The most cards. The bridge lists the longest waiting first. */
const CARD_LIMIT = 200;

/** @param {Store} store */
export function inboxView(store) {
  /** @type {Map<string, Card>} */ const cards = new Map();
  const list = h('div.inbox');
  const empty = h('p.empty', { role: 'status' }, 'Nothing needs you.');
  const element = h('section.inbox-view', { 'aria-label': 'Inbox' }, h('h1', { tabindex: '-1' }, 'Inbox'), list, empty);
  list.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key.length === 1) moveFocus(event, '.ask');
  });
  const draw = perFrame(() => {
    update(store, cards, draw);
    empty.hidden = cards.size > 0;
    reconcile(list, cards, store, draw);
  });
  const timer = setInterval(draw, 5000);
  return { element, draw, close: () => { clearInterval(timer); for (const card of cards.values()) card.follower?.close(); } };
}

/** @param {Store} store @param {Map<string, Card>} cards @param {() => void} draw */
function update(store, cards, draw) {
  const open = new Set();
  const asks = [...store.permissions.map((request) => ({ request, kind: /** @type {const} */ ('permission') })),
  ...store.questions.map((request) => ({ request, kind: /** @type {const} */ ('question') }))];
  for (const { request, kind } of asks.slice(0, CARD_LIMIT)) {
    const key = requestKey(request);
    open.add(key);
    if (!cards.has(key)) cards.set(key, unstored(cards, request) ?? card(store, request, kind, draw));
  }
  for (const [key, shown] of cards) {
    if (open.has(key)) { shown.goneTs = 0; continue; }
    if (shown.goneTs === 0) gone(shown);
    if (Date.now() - shown.goneTs > LINGER_MS) { shown.follower?.close(); cards.delete(key); }
  }
}

/**
 * Takes the card that a request has had while its session had no journal.
 * @param {Map<string, Card>} cards @param {any} request
 */
function unstored(cards, request) {
  const key = requestKey({ ...request, journal: '' });
  const shown = request.journal ? cards.get(key) : undefined;
  if (!shown) return undefined;
  cards.delete(key);
  const before = shown.session;
  shown.session = { ...before, journal: request.journal };
  if (shown.row.ask) adoptAnswer(before, shown.session, shown.row.ask);
  return shown;
}

/** @param {Card} shown */
function gone(shown) {
  const isOpen = shown.row.ask?.state === 'pending' && !ownAnswer(shown.session, shown.row.ask.requestId);
  // The requests of another bridge also go when it is not reached, and come back with it.
  shown.goneTs = isOpen && shown.bridge ? 1 : Date.now();
  if (isOpen && shown.row.ask && !shown.bridge) {
    Object.assign(shown.row.ask, { state: 'answered', outcome: 'Answered elsewhere' });
    shown.row.version += 1;
    announce('A request was answered elsewhere.');
  }
}

/** @param {Store} store @param {any} request @param {'permission' | 'question'} kind @param {() => void} draw @returns {Card} */
function card(store, request, kind, draw) {
  const { agent, sessionId, pid, journal, bridge } = request;
  const session = sessionId === undefined ? { agent, pid } : { sessionId, agent, ...(journal && { journal }) };
  const timeline = new Timeline();
  const params = kind === 'permission' ? request.params : request.params ?? request;
  timeline.append(1, {
    ts: request.askedTs ?? request.createdTs ?? Date.now(), kind: kind === 'permission' ? 'permission_request' : 'elicitation_request',
    data: { requestId: request.requestId, params },
  });
  addCall(store, session, timeline.rows[0], draw);
  // The answer, its author and the agent's next step come on the timeline. Only facts about this request are kept.
  const follower = sessionId === undefined ? undefined : store.client?.timeline(session, {
    onEntry: (n, entry) => {
      const isAnswer = entry.kind === 'permission_answer' || entry.kind === 'elicitation_answer';
      if (isAnswer || timeline.rows[0].ask?.state === 'answered') { timeline.append(n + 1, entry); timeline.rows.length = 1; draw(); }
    },
    onError: () => { },
  });
  return { session, bridge, row: timeline.rows[0], askedTs: timeline.rows[0].ts, goneTs: 0, follower, timeline };
}

/**
 * Many agents announce a call first, and name it in the request only by its id. The session's state has its title and contents.
 * @param {Store} store @param {any} session @param {Row} row @param {() => void} draw
 */
function addCall(store, session, row, draw) {
  const call = row.ask?.params?.toolCall;
  if (!call?.toolCallId || call.content || call.rawInput) return;
  store.client?.query('sessions:get', session).then((value) => {
    const known = value?.toolCalls?.find?.((/** @type {any} */ other) => other?.toolCallId === call.toolCallId);
    if (!known || !row.ask) return;
    row.ask.params = { ...row.ask.params, toolCall: { ...known, ...call } };
    row.version += 1;
    draw();
  }, () => { });
}

/** @param {HTMLElement} list @param {Map<string, Card>} cards @param {Store} store @param {() => void} draw */
function reconcile(list, cards, store, draw) {
  const drawn = new Map([...list.children].map((child) => [/** @type {HTMLElement} */ (child).dataset.key, child]));
  for (const [key, shown] of cards) {
    const own = ownAnswer(shown.session, shown.row.ask?.requestId);
    const why = refusal(store.canControl, store.row(shown.session), 'Answering', bridgeNow());
    const facts = `${shown.row.version}:${own?.state ?? ''}:${why}`;
    const known = /** @type {HTMLElement | undefined} */ (drawn.get(key));
    drawn.delete(key);
    const element = known?.dataset.facts === facts ? known : cardView(store, shown, draw);
    drawHead(/** @type {HTMLElement} */(element.firstElementChild), store, shown);
    if (element === known) continue;
    const hasFocus = known?.contains(document.activeElement);
    Object.assign(element.dataset, { key, facts });
    if (known) known.replaceWith(element); else list.append(element);
    if (hasFocus) focusNext(element, list);
  }
  for (const child of drawn.values()) child.remove();
}

/**
 * After an answer, the focus goes to the next open request, and not to a button of it: a key that is held down would answer it, too.
 * @param {HTMLElement} card @param {HTMLElement} list
 */
function focusNext(card, list) {
  const open = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('.ask[data-state="pending"]')].filter((ask) =>
    ask.querySelector('.option')));
  // The card can be open again, because its answer was refused.
  const isAfter = (/** @type {Element} */ ask) => card.compareDocumentPosition(ask) & Node.DOCUMENT_POSITION_FOLLOWING;
  const heading = /** @type {HTMLElement} */ (list.previousElementSibling);
  (open.find(isAfter) ?? open[0] ?? heading).focus();
}

/**
 * The line above a card. The list can come after the requests, and times pass, so it is filled again in place.
 * @param {HTMLElement} element @param {Store} store @param {Card} shown
 */
function drawHead(element, store, { session, bridge, askedTs }) {
  const row = session.sessionId === undefined ? undefined : store.row(session);
  const name = sessionName(row ?? session);
  const away = row?.unreachableTs ? awayText(row.unreachableTs, bridgeNow()) : '';
  const facts = JSON.stringify([name, row?.cwd, bridge, away]);
  if (element.dataset.facts !== facts) {
    element.dataset.facts = facts;
    const href = routeHash({ view: 'session', sessionId: session.sessionId, journal: session.journal ?? '', number: null });
    const link = element.querySelector('a') ?? (session.sessionId !== undefined && h('a', { href }));
    if (link) link.textContent = name;
    if (link && link.parentNode !== element) element.prepend(link);
    // The link stays in its place: it would lose the focus.
    for (const child of [...element.childNodes]) if (child !== link) child.remove();
    element.append(...h('', null, h('span', null, exact(session.agent ?? '')), bridgeName(bridge, away),
      row?.cwd && h('span', { title: exact(row.cwd) }, shortPath(exact(row.cwd))), h('time')).childNodes);
  }
  const time = /** @type {HTMLElement} */ (element.querySelector('time'));
  const text = `asked ${ago(askedTs, bridgeNow())} ago`.replace('now ago', 'now');
  if (time.textContent !== text) time.textContent = text;
}

/** @param {Store} store @param {Card} shown @param {() => void} draw */
function cardView(store, shown, draw) {
  const { session, row } = shown;
  return h('article.inbox-card', null,
    h('p.inbox-session'),
    askCard(row, {
      session: () => session, refusal: () => refusal(store.canControl, store.row(session), 'Answering', bridgeNow()), onChange: draw,
      mutate: (name, args) => store.answer(name, args),
      author: (who) => store.author(who),
    }));
}
