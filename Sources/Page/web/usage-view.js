// What the sessions have cost today and in the last seven days.

import { bridgeNow } from './bridge-clock.js';
import { h, replace } from './dom.js';
import { routeHash } from './routes.js';
import { bridgeName } from './session-head.js';
import { spendingReader, sumsText } from './spending.js';
import { exact, plural, sessionName } from './text.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./spending.js').Spending} Spending */

/** Sessions in the table. */
const LISTED = 50;

/** @param {Store} store */
export function usageView(store) {
  const body = h('div.usage-body');
  const element = h('section.usage-view.settings-view', { 'aria-label': 'Usage', tabindex: '-1' }, h('h1', null, 'Usage'), body);
  const reader = spendingReader(/** @type {any} */(store.client));
  const read = () => {
    replace(body, h('p', { role: 'status' }, 'Adding up…'));
    reader.read(bridgeNow()).then((spending) => replace(body, ...tables(spending)),
      (error) => replace(body, h('p.error', { role: 'alert' }, `The costs could not be read: ${error.message} `,
        h('button.load', { type: 'button', onclick: () => { element.focus({ preventScroll: true }); read(); } }, 'Try again'))));
  };
  read();
  return { element, focus: () => element.focus({ preventScroll: true }) };
}

/** @param {Spending} spending @returns {any[]} */
function tables({ days, sessions, today, week, isPart }) {
  if (sessions.length === 0) return [h('p', null, 'No agent has reported a cost in the last seven days.')];
  return [
    h('dl.facts.usage-sums', null, h('dt', null, 'Today'), h('dd', null, sumsText(today) || '–'),
      h('dt', null, 'Seven days'), h('dd', null, sumsText(week))),
    isPart && h('p.dim', null, 'These sums lack some sessions: there are too many, or they could not be read. On the bridge’s machine, ',
      h('code', null, 'acpbridge usage --since 7d --by day'), ' adds all.'),
    h('section.card', null, h('h2', null, 'Days'), table(['Day', 'Cost'], days.map(({ start, sums }, daysAgo) =>
      [h('th', { scope: 'row' }, dayName(start, daysAgo)), h('td', null, sumsText(sums) || '–')]))),
    h('section.card', null, h('h2', null, 'Sessions'), table(['Session', 'Today', 'Seven days'],
      sessions.slice(0, LISTED).map(({ row, today: own, week: all }) => [h('th', { scope: 'row' },
        h('a', { href: routeHash({ view: 'session', sessionId: row.sessionId, journal: row.journal, number: null }) }, sessionName(row)),
        h('span.dim', null, ` ${exact(row.agent)} `), bridgeName(row.bridge, '')),
      h('td', null, sumsText(own) || '–'), h('td', null, sumsText(all))])),
      sessions.length > LISTED && h('p.dim', null, `and ${plural(sessions.length - LISTED, 'other session')}`)),
    h('p.dim', null, 'These are the costs as the agents report them. Subagents are left out, because their parents’ costs can contain '
      + 'theirs, and so are sessions that come from a hub.')];
}

/** @param {string[]} names @param {any[][]} rows */
const table = (names, rows) => h('div.table', null, h('table', null,
  h('thead', null, h('tr', null, names.map((name) => h('th', { scope: 'col' }, name)))),
  h('tbody', null, rows.map((cells) => h('tr', null, cells)))));

/** @param {number} start @param {number} daysAgo */
const dayName = (start, daysAgo) => (daysAgo === 0 ? 'Today' : daysAgo === 1 ? 'Yesterday'
  : new Date(start).toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'short' }));
