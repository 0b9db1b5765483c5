// The header of a session: its name, its state, what it has used, and who else watches.

import { bridgeNow } from './bridge-clock.js';
import { openDialog } from './dialogs.js';
import { h, icon, iconButton, replace } from './dom.js';
import { hasAgent } from './order.js';
import { nameList, otherViewers } from './people.js';
import { awayText } from './rights.js';
import { routeHash } from './routes.js';
import { ago, count, dateTime, exact, plural, sessionName, shortPath, stopText } from './text.js';
import { costText, limitLabel, limitText } from './usage.js';

/** @typedef {import('./feed.js').Feed} Feed */
/**
 * @typedef {object} HeadFacts
 * @property {number} now The time until which the facts are known, in ms since 1970.
 * @property {any} facts The value of `sessions:get`; null until it is known.
 * @property {any} row The session's row in the list, until then.
 * @property {'' | 'Deleted' | 'Not found' | 'Not reached' | 'Not readable'} lost The state of a session that cannot be read.
 * @property {number} asking The number of open requests of all sessions.
 * @property {string} ownName The name under which the bridge lists this page as a viewer.
 */

/**
 * @param {string} sessionId
 * @param {Feed} feed
 * @param {() => HeadFacts} current
 * @param {{ menu: () => any, toggleChanges: () => void }} parts
 */
export function sessionHead(sessionId, feed, current, { menu, toggleChanges }) {
  // The buttons stay while the facts change: a new one would lose the focus, or a press.
  const text = h('div.head-text');
  const viewers = h('div.viewer-holder');
  let details = menu();
  const element = h('header.session-head', null,
    h('a.icon-button.back', { href: '#/', 'aria-label': 'Back to the sessions' }, icon('back')),
    text, viewers, iconButton('changes', 'Changes of files', toggleChanges), details);
  let [shape, menuShape, viewersShape] = ['', '', ''];
  const drawMenu = (/** @type {string} */ next) => {
    if (next === menuShape || details.open) return;
    menuShape = next;
    const hasFocus = details.contains(document.activeElement);
    const fresh = menu();
    details.replaceWith(fresh);
    details = fresh;
    if (hasFocus) details.querySelector('summary').focus();
  };
  const draw = () => {
    const { now, facts, row, lost, asking, ownName } = current();
    const known = facts ?? row ?? {};
    const name = sessionName({ sessionId, ...known });
    const stop = hasAgent(facts) ? stopOf(facts) : '';
    const state = lost || headState(facts, feed, stop, now);
    const usage = feed.timeline.usage.with(facts);
    const others = hasAgent(facts) ? otherViewers(facts.viewers, ownName) : [];
    const limit = hasAgent(facts) && usage.rateLimit ? limitText(usage.rateLimit, bridgeNow()) : '';
    const { title, agent, cwd, tags, archived, muted, bridge, unreachableTs, parentId } = known;
    const away = unreachableTs ? awayText(unreachableTs, bridgeNow()) : '';
    const kind = state === stop || /^(Interrupted|Ended .*)$/.test(state) ? 'stopped' : state.toLowerCase().split(' ')[0];
    const next = JSON.stringify([title, agent, cwd, tags, archived, muted, bridge, away, kind, usage, limit, parentId]);
    // The time changes each second. The rest stays, because a person can be about to press a button.
    const chip = element.querySelector('.chip');
    if (chip && chip.textContent !== state) chip.textContent = state;
    const tab = `${asking > 0 ? `(${asking}) ` : ''}${name} · acpbridge`;
    if (document.title !== tab) document.title = tab;
    drawMenu(JSON.stringify([archived, muted, hasAgent(known), bridge, away, kind, Boolean(facts)]));
    if (JSON.stringify(others) !== viewersShape) replace(viewers, viewersButton(others));
    viewersShape = JSON.stringify(others);
    if (next === shape) return;
    shape = next;
    replace(text, h('h1', { dir: 'auto', title: `${name}\n${exact(sessionId)}` }, name),
      h('p.head-facts', null, h('span.chip', { 'data-state': kind }, state),
        agent && h('span', null, exact(agent)),
        parentId && h('a', { href: routeHash({ view: 'session', sessionId: parentId, journal: '', number: null }) }, 'Subagent'),
        archived && h('span.tag', null, 'Archived'),
        muted && h('span.tag', { title: 'Notifications of this session are muted' }, 'Muted'),
        bridgeName(bridge, away),
        usage.rateLimit && usage.rateLimit.state !== 'ok' && limit
        && h('span.limit', { 'data-state': usage.rateLimit.state, title: limit }, h('span.long', null, limit),
          h('span.short', { 'aria-hidden': 'true' }, limitLabel(usage.rateLimit))),
        meter(usage),
        usage.cost && h('span', { title: 'Cost of the session, as the agent reports it' }, costText(usage.cost)),
        cwd && h('span.cwd', { title: exact(cwd) }, shortPath(exact(cwd))),
        (tags ?? []).map((/** @type {string} */ tag) => h('span.tag', null, exact(tag)))));
  };
  return { element, draw };
}

/**
 * The bridge of a session that the page's own bridge does not have.
 * @param {string | undefined} bridge
 * @param {string} away How long ago that bridge was last seen; empty while it can be reached.
 */
export function bridgeName(bridge, away) {
  return bridge && h('span.bridge', {
    'data-away': away ? 'true' : null, title: away ? `The bridge ${exact(bridge)} was last seen ${away}`
      : `On the bridge ${exact(bridge)}`
  }, `${exact(bridge)}${away ? ', not reached' : ''}`);
}

/** @param {import('./usage.js').Usage} usage */
function meter({ share, used, size }) {
  return share !== null && h('span.usage', { title: `${count(used)} of ${count(size)} tokens of context` },
    h('meter', { min: 0, max: 1, high: 0.8, value: share, 'aria-label': 'Context used' }), `${Math.round(share * 100)} %`);
}

/** @param {{ name: string, sinceTs: number }[]} others */
function viewersButton(others) {
  const names = nameList(others.map(({ name }) => name));
  return others.length > 0 && h('button.viewers', {
    type: 'button', title: `Also watching: ${names}`, 'aria-label': `${plural(others.length, 'other viewer')}: ${names}`,
    onclick: () => showViewers(others),
  }, icon('eye'), h('span.viewer-names', null, names), h('span.viewer-count', null, others.length));
}

/** @param {{ name: string, sinceTs: number }[]} others */
function showViewers(others) {
  openDialog('Also watching', h('div.dialog-body', null, h('ul.viewer-list', null, others.map(({ name, sinceTs }) => h('li', null,
    h('span', null, name), h('span.dim', null, `for ${ago(sinceTs, bridgeNow()).replace('now', 'a moment')}`))))));
}

/**
 * @param {string} sessionId @param {any} facts @param {Feed} feed
 * @param {() => Promise<{ today: string, week: string }>} readSpent What the session has cost today and in seven days.
 */
export function showDetails(sessionId, facts, feed, readSpent) {
  const { used, size, cost, rateLimit } = feed.timeline.usage.with(facts);
  const rows = [
    ['Context', size > 0 ? `${used.toLocaleString('en')} of ${size.toLocaleString('en')} tokens` : 'not reported'],
    ['Cost', cost ? costText(cost) : 'not reported'],
    ['Cost today', cost ? '…' : 'not reported'],
    ['In seven days', cost ? '…' : 'not reported'],
    ['Rate limit', (rateLimit && limitText(rateLimit, bridgeNow())) || 'not reported'],
    ['Updates', (facts?.updateCount ?? 0).toLocaleString('en')],
    ['Folder', facts?.cwd ? exact(facts.cwd) : 'not known'],
    ['Began', facts ? dateTime(facts.createdTs) : ''],
    ['Session id', exact(sessionId)],
  ];
  const list = h('dl.facts', null, rows.flatMap(([term, text]) => [h('dt', null, term), h('dd', null, text)]));
  const value = (/** @type {string} */ name) => list.querySelectorAll('dd')[rows.findIndex(([term]) => term === name)];
  if (cost) {
    readSpent().catch(() => ({ today: 'not known', week: 'not known' })).then(({ today, week }) => {
      const nothing = costText({ ...cost, amount: 0 });
      value('Cost today').textContent = today || nothing;
      value('In seven days').textContent = week || nothing;
    });
  }
  openDialog('Details', h('div.dialog-body', null, list,
    h('p.dim', null, 'Context, cost and rate limit are as the agent reported them last. '
      + 'The cost is that of the whole session, with all runs of its agent.')));
}

/** @param {any} facts */
const stopOf = (facts) => stopText(facts.turn?.error ? 'error' : facts.turn?.stopReason);

/** @param {any} facts @param {Feed} feed @param {string} stop Why the last turn has not ended well; empty if it has. @param {number} now */
function headState(facts, feed, stop, now) {
  if (!facts) return 'Loading';
  if (!hasAgent(facts)) {
    const { reason, exitCode, signal } = facts.end ?? feed.ended ?? {};
    return reason === 'exited' && exitCode ? `Ended with status ${exitCode}` : reason === 'signaled' ? `Ended by signal ${signal}`
      : reason === 'interrupted' ? 'Interrupted' : 'Ended';
  }
  const asks = (facts.pendingPermissions ?? []).length + (facts.pendingElicitations ?? []).length;
  if (asks > 0) return 'Waiting for you';
  if (facts.turn?.state === 'running' || facts.state === 'running') {
    const time = facts.turn?.startedTs ? ago(facts.turn.startedTs, now) : 'now';
    return time === 'now' ? 'Working' : `Working for ${time}`;
  }
  return stop || 'Ready';
}
