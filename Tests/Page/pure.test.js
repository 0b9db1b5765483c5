import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffRows, fileDiffs, partCounts, patchRows, rowCounts } from '../../Sources/Page/web/changes.js';
import { formAnswer, formFields } from '../../Sources/Page/web/forms.js';
import {
  askKey, descendants, folded, foldersOf, hasAgent, isOver, nextWaiting, orderedSessions, requestKey, startable,
  unlistedAskers,
} from '../../Sources/Page/web/order.js';
import { editable, IMAGES, matched, senderOf, withoutArrived } from '../../Sources/Page/web/outbox.js';
import { refusal } from '../../Sources/Page/web/rights.js';
import { admissionCode, parseRoute, routeHash } from '../../Sources/Page/web/routes.js';
import { RowHeights } from '../../Sources/Page/web/row-heights.js';
import { dayStart, SpendingReader, spendingOf, sumsText } from '../../Sources/Page/web/spending.js';
import { isLoopback, shareAddress, sharesOf } from '../../Sources/Page/web/share-links.js';
import {
  ago, bytes, exact, lineOf, middleCut, placeText, readable, safeLink, sessionName, shortened, stopText,
} from '../../Sources/Page/web/text.js';
import { randomNumbers, seed } from './random.js';

const row = (/** @type {any} */ more) => ({
  agent: 'demo', title: null, tags: [], archived: false, createdTs: 0, lastTs: 0, updateCount: 1, live: true, state: 'idle',
  journal: 'a-1-1', ...more,
});

test('waitingSessionsComeFirstThenRunningOnesThenTheNewest', () => {
  const rows = [
    row({ sessionId: 'ended', live: false, state: 'ended', lastTs: 9 }), row({ sessionId: 'idle', lastTs: 1 }),
    row({ sessionId: 'newer idle', lastTs: 2 }), row({ sessionId: 'runs', state: 'running' }), row({ sessionId: 'waits' })];
  const listed = orderedSessions(rows, [{ sessionId: 'waits', agent: 'demo' }, { sessionId: 'runs', agent: 'other' }]);
  assert.deepEqual(listed.map((session) => session.row.sessionId), ['waits', 'runs', 'newer idle', 'idle', 'ended']);
  assert.equal(listed[0].asks, 1);
});

test('sessionsThatWorkKeepTheirPlaces', () => {
  const rows = [row({ sessionId: 'old', state: 'running', createdTs: 1, lastTs: 9 }),
  row({ sessionId: 'new', state: 'running', createdTs: 2, lastTs: 8 })];
  assert.deepEqual(orderedSessions(rows, []).map((session) => session.row.sessionId), ['new', 'old']);
});

test('eachAskerThatIsNotListedIsFoundOnce', () => {
  const rows = [row({ sessionId: 'listed' }), row({ sessionId: 'there', bridge: 'north' })];
  const asking = [{ sessionId: 'listed' }, { sessionId: 'old' }, { sessionId: 'old' }, { sessionId: 'there' },
  { sessionId: 'there', bridge: 'north' }].map((request) => ({ agent: 'demo', ...request }));
  assert.deepEqual(unlistedAskers(rows, asking), [asking[1], asking[3]]);
});

test('requestsOfOneIdAreToldApartByBridgeJournalAndTime', () => {
  const request = { agent: 'demo', sessionId: 's1', journal: '9f03c2aa-1-1', requestId: 0, askedTs: 5 };
  const others = [{ bridge: 'north' }, { journal: '7b03c2aa-1-1' }, { requestId: '0' }, { askedTs: 6 }, { sessionId: 's2' }];
  assert.equal(new Set([{}, ...others].map((other) => requestKey({ ...request, ...other }))).size, others.length + 1);
  assert.equal(requestKey({ ...request, journal: '9f03c2aa-1-2' }), requestKey(request));
});

test('childrenFollowTheirParentAndCyclesAreShownOnce', () => {
  const rows = [row({ sessionId: 'child', parentId: 'parent', lastTs: 9 }), row({ sessionId: 'parent' }),
  row({ sessionId: 'x', parentId: 'y' }), row({ sessionId: 'y', parentId: 'x' })];
  const listed = orderedSessions(rows, []).map((session) => [session.row.sessionId, session.depth]);
  assert.deepEqual(listed.slice(0, 2), [['parent', 0], ['child', 1]]);
  assert.equal(listed.length, 4);
});

test('theSubagentsOfASessionAreFoundWithTheirs', () => {
  const rows = [row({ sessionId: 'a', lastTs: 9 }), row({ sessionId: 'b', parentId: 'a' }), row({ sessionId: 'c', parentId: 'b' }),
  row({ sessionId: 'd' })];
  const listed = orderedSessions(rows, []);
  const below = (/** @type {number} */ at) => descendants(listed, rows[at]).map(({ sessionId }) => sessionId);
  assert.deepEqual([0, 1, 2, 3].map(below), [['b', 'c'], ['c'], [], []]);
});

test('aSubagentThatWaitsBringsItsParentToTheTop', () => {
  const rows = [row({ sessionId: 'runs', state: 'running', lastTs: 9 }), row({ sessionId: 'parent', lastTs: 1 }),
  row({ sessionId: 'child', parentId: 'parent' })];
  const listed = orderedSessions(rows, [{ sessionId: 'child', agent: 'demo' }]);
  assert.deepEqual(listed.map((session) => [session.row.sessionId, session.section, session.group]),
    [['parent', 'waiting', 'idle'], ['child', 'waiting', 'waiting'], ['runs', 'running', 'running']]);
});

test('subagentsAreFoldedUnlessOneOfThemWorksOrAPersonChose', () => {
  const rows = [row({ sessionId: 'done', lastTs: 9 }), row({ sessionId: 'done.1', parentId: 'done' }),
  row({ sessionId: 'busy', lastTs: 5 }), row({ sessionId: 'busy.1', parentId: 'busy', state: 'running' }),
  row({ sessionId: 'busy.2', parentId: 'busy' }), row({ sessionId: 'alone', lastTs: 1 })];
  const names = (/** @type {any} */ choice, /** @type {any[]} */ asking = []) => folded(orderedSessions(rows, asking), choice)
    .map((/** @type {any} */ item) => item.row?.sessionId ?? `${item.count} ${item.isOpen}`);
  assert.deepEqual(names(() => undefined), ['busy', '2 true', 'busy.1', 'busy.2', 'done', '1 false', 'alone']);
  assert.deepEqual(names(() => true), ['busy', '2 true', 'busy.1', 'busy.2', 'done', '1 true', 'done.1', 'alone']);
  assert.deepEqual(names(() => false, [{ sessionId: 'busy.2', agent: 'demo' }]), ['busy', '2 false', 'busy.2', 'done', '1 false', 'alone'],
    'a session that waits is always shown');
});

test('aSessionThatHasEndedAndIsStillStoredIsListedAsEnded', () => {
  const rows = [row({ sessionId: 's', live: true, state: 'idle', end: { reason: 'exited', exitCode: 0 } })];
  const [listed] = orderedSessions(rows, [{ sessionId: 's', agent: 'demo' }]);
  assert.deepEqual([listed.group, listed.asks], ['ended', 0]);
  assert.ok(!hasAgent(rows[0]) && !hasAgent(null) && !hasAgent({ live: false }));
  assert.ok(hasAgent({ live: true }));
});

test('aSessionOfAnotherBridgeIsNotConfusedWithAnOwnOneOfItsId', () => {
  const rows = [row({ sessionId: 's', bridge: 'north', journal: 'b-1-1', lastTs: 9 }), row({ sessionId: 's' }),
  row({ sessionId: 'child', parentId: 's', bridge: 'north', journal: 'b-2-1' })];
  const listed = orderedSessions(rows, [{ sessionId: 's', agent: 'demo' }]);
  assert.deepEqual(listed.map(({ row, asks, depth }) => [row.sessionId, row.bridge, asks, depth]),
    [['s', undefined, 1, 0], ['s', 'north', 0, 0], ['child', 'north', 0, 1]]);
});

test('aSessionOfAPeerThatAsksNeedsYouUnlessItsBridgeIsAway', () => {
  const rows = [row({ sessionId: 'a', bridge: 'north', state: 'running' }),
  row({ sessionId: 'b', bridge: 'south', state: 'running', unreachableTs: 5 })];
  const listed = orderedSessions(rows, [{ sessionId: 'a', agent: 'demo', bridge: 'north' },
  { sessionId: 'b', agent: 'demo', bridge: 'south' }]);
  assert.deepEqual(listed.map(({ row, group, asks }) => [row.sessionId, group, asks]), [['a', 'waiting', 1], ['b', 'away', 0]]);
});

test('aSessionIsOverWhenItsBridgeIsReachedAndRunsNoAgentForIt', () => {
  assert.ok(isOver({ live: false }));
  assert.ok(isOver(/** @type {any} */({ live: false, bridge: 'north' })));
  for (const facts of [null, { live: true }, { live: false, unreachableTs: 5 }]) assert.ok(!isOver(facts));
});

test('theNextSessionThatNeedsAPersonFollowsTheOpenOne', () => {
  const rows = ['a', 'b', 'c'].map((sessionId, at) => row({ sessionId, lastTs: 9 - at, state: 'requires_action' }));
  const listed = orderedSessions([...rows, row({ sessionId: 'idle' })], []);
  assert.deepEqual(['', 'a', 'c', 'idle'].map((current) => nextWaiting(listed, current)?.sessionId), ['a', 'b', 'a', 'a']);
  assert.equal(nextWaiting(orderedSessions([rows[0]], []), 'a'), undefined);
});

test('aRefusalSaysWhatToDo', () => {
  assert.equal(refusal(true, null, 'Answering', 0), '');
  assert.equal(refusal(true, { bridge: undefined }, 'Answering', 0), '');
  assert.match(refusal(false, null, 'Answering', 0), /Answering needs the role control/);
  assert.equal(refusal(true, { bridge: 'north' }, 'Answering', 0), '', 'the bridge forwards commands');
  assert.equal(refusal(true, { bridge: 'north\u202e', unreachableTs: 1 }, 'Answering', 300_001),
    'The bridge north⟨U+202E⟩ cannot be reached. It was last seen 5 min ago. Answering is possible when it is back.');
});

test('aLinkIsThisPageWithACode', () => {
  const url = shareAddress('7M2QX', { origin: 'https://bridge.example', pathname: '/' });
  assert.equal(url, 'https://bridge.example/#code=7M2QX');
  assert.equal(admissionCode(new URL(url).hash), '7M2QX');
});

test('anAddressOfThisMachineAloneIsRecognized', () => {
  for (const name of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]']) assert.ok(isLoopback(name), name);
  for (const name of ['bridge.example', '192.168.0.2', '127.0.0.1.example']) assert.ok(!isLoopback(name), name);
});

test('onlyLinksOfTheSameIncarnationAreListed', () => {
  const shared = (/** @type {string} */ id, more = {}) => ({ id, session: { agent: 'demo', sessionId: 's', journal: 'a-1-1', ...more } });
  const tokens = [{ id: 'device' }, shared('own'), shared('later claim', { journal: 'a-1-9' }), shared('other', { sessionId: 't' }),
  shared('other agent', { agent: 'x' }), shared('earlier incarnation', { journal: 'a-2-1' })];
  assert.deepEqual(sharesOf(tokens, { sessionId: 's', agent: 'demo', journal: 'a-1-2' }).map(({ id }) => id), ['own', 'later claim']);
});

test('anAddressIsReadAsItWasWritten', () => {
  for (const route of /** @type {any[]} */ ([
    { view: 'sessions' }, { view: 'inbox' }, { view: 'search', query: 'a/b? c' },
    { view: 'session', sessionId: 'a/b?#ü', journal: '9f-1-2', number: 12 },
    { view: 'session', sessionId: 's', journal: 'j', number: 12, isUpdate: true },
    { view: 'session', sessionId: 's', journal: '', number: null }])) {
    assert.deepEqual(parseRoute(routeHash(route)), route);
  }
});

test('addressesThatAreWrongLeadToTheList', () => {
  for (const hash of ['', '#', '#/nowhere', '#/s', '#/s/']) assert.equal(parseRoute(hash).view, 'sessions');
  assert.equal(/** @type {any} */(parseRoute('#/s/%E0%A4%A/j/99999999999999999')).number, null);
});

test('onlyACodeAloneIsACode', () => {
  assert.equal(admissionCode('#code=abc-DEF_1'), 'abc-DEF_1');
  assert.equal(admissionCode('#/s/code=abc'), null);
  assert.equal(admissionCode('#code='), null);
});

test('terminalEscapesAreRemovedAndDeceptiveCharactersAreShown', () => {
  assert.equal(readable('\u001b[31mred\u001b[0m\u001b]0;title\u0007 \u0000text\r\n'), 'red text\n');
  assert.equal(exact('rm \u202egnp.x'), 'rm ⟨U+202E⟩gnp.x');
  assert.equal(exact('a\u200bb'), 'a⟨U+200B⟩b');
});

test('anExactTextLacksNothing', () => {
  assert.equal(exact('ls \u001b]0;\nrm -rf ~ #\u0007'), 'ls ⟨U+001B⟩]0;\nrm -rf ~ #⟨U+0007⟩');
  assert.equal(exact('a\u001bP; evil\u001b\\\u009bm\u0000'), 'a⟨U+001B⟩P; evil⟨U+001B⟩\\⟨U+009B⟩m⟨U+0000⟩');
  assert.equal(exact('a\tb\r\nc\rd'), 'a\tb\nc\nd');
  for (const hidden of ['\u00ad', '\u034f', '\u180b\u180e', '\u200c', '\u2028', '\ufff9', '\u{1d173}', '\u{e0041}']) {
    assert.ok(!exact(`a${hidden}b`).includes(hidden) || /\p{Variation_Selector}/u.test(hidden), hidden);
  }
  assert.equal(exact('\u{1F468}\u200d\u{1F469}\u200d\u{1F467} \u2764\ufe0f a\u200db'),
    '\u{1F468}\u200d\u{1F469}\u200d\u{1F467} \u2764\ufe0f a⟨U+200D⟩b');
});

test('furtherFilesOfADiffAreInOneChange', () => {
  const patch = (/** @type {number} */ n) => `diff --git a/f${n} b/f${n}\n--- a/f${n}\n+++ b/f${n}\n@@ -1 +1 @@\n-old ${n}\n+new ${n}\n`;
  const changes = Array.from({ length: 103 }, (_, n) => ({ path: `/w/f${n}` }));
  for (const text of [changes.map((_, n) => patch(n)).join(''), '']) {
    const diffs = fileDiffs({ type: 'diff', changes, patch: { text } });
    assert.equal(diffs.length, 100);
    assert.equal(diffs[99].path, '4 further files');
    const rows = patchRows(diffs[99].patch ?? '').map((row) => row.text);
    assert.equal(rows.filter((row) => /f(99|10[012])$/.test(row)).length, 4);
    assert.equal(rows.filter((row) => row.startsWith('new ')).length, text ? 4 : 0);
  }
});

test('anIdKeepsItsEnd', () => {
  assert.equal(middleCut('weird-14708-abcdef', 13), 'weird-…abcdef');
  assert.equal(middleCut('weird-14708-a', 13), 'weird-14708-a');
});

test('aTextIsNotCutInsideACharacter', () => {
  assert.equal(shortened('ab😀cd', 4), 'ab…');
  assert.equal(shortened('abcd', 4), 'abcd');
});

/**
 * The texts of what remains, of faults, and of prompts on their way.
 * @param {any[]} sent @param {any[]} queue @param {boolean} [isOver] @param {string} [journal]
 */
function outbox(sent, queue, isOver, journal) {
  const { sent: rest, faults, open } = matched(sent, queue, isOver, journal);
  return [rest, faults, open].map((items) => items.map(({ text }) => text).join());
}

test('aPromptIsOnItsWayUntilTheBridgeHasIt', () => {
  const sent = [{ id: 1, text: 'a', state: 'sending' }, { id: 2, text: 'b', state: 'queued' }, { id: 3, text: 'a', state: 'queued' }];
  assert.deepEqual(outbox(sent, []), ['a,b,a', '', 'a,b,a']);
  assert.deepEqual(outbox(sent, [{ text: 'a' }, { text: 'other' }]), ['a,b,a', '', 'b,a']);
  assert.deepEqual(outbox(sent, [{ text: 'a' }, { text: 'b' }, { text: ' a' }]), ['a,b,a', '', '']);
});

test('aPromptThatHasLeftTheBridgesQueueIsForgotten', () => {
  const sent = [{ id: 1, text: 'a', state: 'queued' }, { id: 2, text: 'b', state: 'queued' }];
  outbox(sent, [{ text: 'a' }]);
  assert.deepEqual(outbox(sent, []), ['b', '', 'b']);
});

test('aPromptThatWaitedWhenItsSessionEndedWasNotSent', () => {
  const sent = [{ id: 1, text: 'a', state: 'queued' }];
  assert.deepEqual(outbox(sent, [{ text: 'a' }], true), ['a', '', '']);
  assert.deepEqual(outbox(sent, [], true), ['a', 'a', '']);
  // It stays until a person edits or discards it, also when the session is continued.
  assert.deepEqual(outbox(sent, []), ['a', 'a', '']);
});

test('aPromptThatWaitedBeforeItsSessionWasStartedAgainWasNotSent', () => {
  const sent = [{ id: 1, text: 'a', state: 'queued' }];
  assert.deepEqual(outbox(sent, [{ text: 'a' }], false, 'log-1-1'), ['a', '', '']);
  assert.deepEqual(outbox(sent, [], false, 'log-1-2'), ['a', 'a', '']);
  // The log can be without a place for a session that has just begun.
  for (const [before, after] of [['log-1-1', 'log-1-1'], ['', 'log-1-1'], ['log-1-1', '']]) {
    const one = [{ id: 1, text: 'a', state: 'queued' }];
    outbox(one, [{ text: 'a' }], false, before);
    assert.deepEqual(outbox(one, [], false, after), ['', '', '']);
  }
});

test('aPromptThatWasLostIsAFaultUnlessTheBridgeHasIt', () => {
  const sent = [{ id: 1, text: 'a', state: 'lost' }, { id: 2, text: 'a', state: 'failed', isAtBridge: true }];
  assert.deepEqual(outbox(sent, []), ['a,a', 'a,a', '']);
  assert.deepEqual(outbox(sent, [{ text: 'a' }]), ['a', 'a', '']);
});

test('aLongPromptIsRecognisedByItsBeginning', () => {
  const long = `${'😀'.repeat(999)} and more`;
  const sent = [{ id: 1, text: long, state: 'queued' }, { id: 2, text: IMAGES, state: 'queued' }, { id: 3, text: 'ab', state: 'queued' }];
  assert.deepEqual(outbox(sent, [{ text: `${'😀'.repeat(999)} ` }, {}, { text: 'a' }]), [`${long},${IMAGES},ab`, '', 'ab']);
});

test('aPromptThatTheAgentHasIsNotInTheQueue', () => {
  const queue = [{ text: 'a', queuedTs: 5 }, { text: 'b', queuedTs: 6 }, { text: 'a', queuedTs: 7 }];
  const texts = (/** @type {string} */ text, /** @type {number} */ ts) =>
    withoutArrived(queue, text, ts).map((waiting) => waiting.text).join('');
  assert.equal(texts('a ', 8), 'ba');
  assert.equal(texts('b', 6), 'aa');
  // An earlier prompt of the same text.
  assert.equal(texts('a', 4), 'aba');
  assert.equal(texts('c', 8), 'aba');
});

test('aWaitingPromptBelongsToTheRequestThatThisPageHasSent', () => {
  const sent = [{ id: 1, text: 'a', state: 'queued' }, { id: 2, text: 'a', state: 'queued' }, { id: 3, text: 'a', state: 'failed' }];
  assert.equal(senderOf(/** @type {any} */(sent), { text: 'a' }), undefined, 'the bridge does not have it');
  outbox(sent, [{ text: 'a' }, { text: 'a' }]);
  const first = senderOf(/** @type {any} */(sent), { text: 'a' });
  assert.equal(first?.id, 1);
  if (first) first.isTakenBack = true;
  assert.equal(senderOf(/** @type {any} */(sent), { text: 'a' })?.id, 2);
  assert.equal(senderOf(/** @type {any} */(sent), { text: 'b' }), undefined);
});

test('aPromptThatIsTakenBackKeepsItsTextsAndImages', () => {
  const [text, image] = [{ type: 'text', text: 'a' }, { type: 'image', mimeType: 'image/png', data: 'AAAA' }];
  assert.deepEqual(editable([text, image, { type: 'text', text: 'b' }]),
    { text: 'a\nb', images: [{ mimeType: 'image/png', data: 'AAAA', name: 'image', size: 3 }], isWhole: true });
  assert.equal(editable([text, { type: 'audio' }]).isWhole, false);
  for (const wrong of [undefined, 'a', [null, 5, { type: 'text' }]]) assert.equal(editable(wrong).text, '');
});

test('onlyATurnThatDidNotEndWellHasAText', () => {
  for (const reason of [undefined, null, '', 5, 'end_turn', 'cancelled']) assert.equal(stopText(reason), '');
  assert.deepEqual(['refusal', 'max_tokens', 'max_turn_requests', 'error'].map(stopText),
    ['Refused', 'Token limit', 'Request limit', 'Failed']);
  assert.equal(stopText('toString'), 'Stopped: toString');
  assert.equal(stopText('x'.repeat(100)).length, 'Stopped: '.length + 30);
});

test('aSessionWithoutATitleHasTheNameOfItsAgentAndFolder', () => {
  const session = { sessionId: 's1', title: null, agent: 'codex', cwd: '/home/me/shop/' };
  assert.equal(sessionName({ ...session, title: 'Mend\u202e' }), 'Mend⟨U+202E⟩');
  assert.equal(sessionName(session), 'codex in shop');
  assert.equal(sessionName({ ...session, cwd: '/' }), 'codex');
  assert.equal(sessionName({ ...session, cwd: undefined }), 'codex');
  assert.equal(sessionName({ sessionId: 's1' }), 's1');
});

test('sizesAndTimesAreRounded', () => {
  assert.deepEqual([999, 1234, 1_200_000, 64_000_000].map(bytes), ['999 bytes', '1.2 KB', '1.2 MB', '64 MB']);
  assert.deepEqual([0, 30_000, 3_599_000, 90_000_000].map((ms) => ago(0, ms)), ['now', '30 s', '59 min', '1 d']);
  assert.equal(ago(5000, 0), 'now');
});

test('onlyWebLinksAreSafe', () => {
  assert.equal(safeLink('https://example.org/a'), 'https://example.org/a');
  for (const href of ['javascript:alert(1)', 'data:text/html,x', '/relative', 'https://bank.example@evil.example/', 'file:///etc']) {
    assert.equal(safeLink(href), null);
  }
});

test('theLinesOfAChangeAreCounted', () => {
  const parts = [{ value: 'a\n' }, { value: 'b\nc\n', removed: true }, { value: 'd', added: true }];
  assert.deepEqual(partCounts(parts), { added: 1, removed: 2 });
  assert.deepEqual(rowCounts(diffRows(parts)), { added: 1, removed: 2 });
});

test('longUnchangedPartsOfADiffAreHidden', () => {
  const same = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
  const rows = diffRows([{ value: same }, { value: 'old\n', removed: true }, { value: 'new\n', added: true }]);
  assert.deepEqual(rows.map(({ kind }) => kind), ['hidden', 'same', 'same', 'same', 'removed', 'added']);
  assert.equal(rows[0].from, 17);
  assert.equal(rows[4].from, 21);
});

const schema = {
  type: 'object', required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2 }, count: { type: 'integer', minimum: 1, maximum: 9 }, sure: { type: 'boolean' },
    color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
    tags: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] }, maxItems: 1 },
  },
};

test('aFormHasAFieldForEachProperty', () => {
  const fields = formFields(schema);
  assert.deepEqual(fields.map(({ input }) => input), ['text', 'number', 'yes', 'one', 'many']);
  assert.deepEqual(fields[3].choices[1], { value: 'g', label: 'Green' });
  assert.equal(fields[0].isRequired, true);
});

test('answersAreCheckedAgainstTheSchema', () => {
  const fields = formFields(schema);
  assert.deepEqual(formAnswer(fields, { name: 'Al', count: '3', sure: true, color: 'g', tags: ['x'] }), {
    content: { name: 'Al', count: 3, sure: true, color: 'g', tags: ['x'] }, errors: {}
  });
  assert.deepEqual(Object.keys(formAnswer(fields, { name: '', count: '1.5', color: 'blue', tags: ['x', 'x'] }).errors), [
    'name', 'count', 'color', 'tags']);
});

test('schemasOfAnyShapeAreAccepted', () => {
  for (const odd of [null, undefined, 1, {}, { properties: null }, { properties: { a: null, b: 1, c: { type: 'array' } } }]) {
    formAnswer(formFields(odd), {});
  }
});

test('aPlaceRepeatsNothingOfTheTitle', () => {
  const place = { path: '/home/me/shop/src/login.js', line: 12 };
  assert.equal(placeText(place, 'Read src/login.js'), 'line 12');
  assert.equal(placeText(place, 'Read src/login.js:12'), '');
  assert.equal(placeText(place, 'Read a file'), '…/src/login.js:12');
  assert.equal(placeText({ path: '/a' }, 'Read a file'), '/a');
  assert.equal(placeText(undefined, 'Read a file'), '');
});

test('aPatchBecomesLinesWithTheirNumbers', () => {
  const head = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n';
  const patch = `${head}@@ -3,2 +3,2 @@ f()\n a\n-b\n+c\n@@ -9 +9,2 @@\n d\n+e\n\\ No newline at end of file\n`;
  assert.deepEqual(patchRows(patch).map(({ kind, text, from, to }) => [kind, text, from, to]), [
    ['hidden', '', 2, undefined], ['same', 'a', 3, 3], ['removed', 'b', 4, undefined], ['added', 'c', undefined, 4],
    ['hidden', '', 4, undefined], ['same', 'd', 9, 9], ['added', 'e', undefined, 10]]);
  assert.deepEqual(patchRows('Binary files differ'), []);
});

test('aDiffOfVersion2HasOneChangeForEachFile', () => {
  const part = (/** @type {string} */ name) => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
  const text = part('a') + part('b');
  const changes = [{ operation: 'add', path: '/w/a' }, { operation: 'move', oldPath: '/w/b', path: '/w/c' }];
  assert.deepEqual(fileDiffs({ type: 'diff', changes, patch: { format: 'git_patch', text } }).map(({ path, patch }) => [path, patch]),
    [['/w/a', part('a')], ['/w/b → /w/c', part('b')]]);
  assert.deepEqual(fileDiffs({ type: 'diff', changes: changes.slice(0, 1), patch: { text } }).map(({ path }) => path), ['a', 'b']);
  assert.deepEqual(fileDiffs({ type: 'diff', changes }).map(({ patch }) => patch), ['', '']);
  const one = { type: 'diff', path: '/w/a', oldText: 'a', newText: 'b' };
  assert.deepEqual(fileDiffs(one), [one]);
});

test('aNewSessionIsOfferedTheFoldersOfItsBridgeTheLastUsedFirst', () => {
  const row = (/** @type {string | undefined} */ cwd, /** @type {number} */ lastTs, more = {}) =>
    /** @type {any} */({ sessionId: `${lastTs}`, agent: 'a', cwd, lastTs, ...more });
  const rows = [row('/a', 1), row('/b', 3), row('/a', 2), row(undefined, 9), row('/there', 8, { bridge: 'laptop' })];
  assert.deepEqual(foldersOf(rows, ''), ['/b', '/a']);
  assert.deepEqual(foldersOf(rows, 'laptop'), ['/there']);
  assert.equal(foldersOf(Array.from({ length: 100 }, (_, n) => row(`/${n}`, n)), '').length, 30);
});

test('noTwoArgumentsLookTheSame', () => {
  for (const value of [true, null, 1, 'a  b', '--force']) assert.equal(lineOf(value), String(value));
  for (const text of ['', ' a', 'a\t', 'true', 'null', '1', '"a"', '{}']) assert.equal(lineOf(text), JSON.stringify(text));
});

test('anAgentThatIsNotInstalledIsNotOffered', () => {
  const profiles = [{ name: 'a', installed: true }, { name: 'b', installed: false }, { name: 'c' }];
  assert.deepEqual(startable(profiles).map(({ name }) => name), ['a', 'c']);
});

const now = new Date(2026, 10, 23, 15).getTime();
const day = 86_400_000;
const paid = (/** @type {number} */ amount, more = {}) => row({
  sessionId: `s${amount}`, createdTs: now, lastTs: now, usage: { cost: { amount, currency: 'USD' } }, ...more,
});

test('theCostsOfTodayAndOfSevenDaysAreAdded', () => {
  const points = [[9, 1], [3, 2.5], [0, 4]].map(([daysAgo, amount]) => ({ ts: now - daysAgo * day, amount, currency: 'USD' }));
  const spending = spendingOf([
    { row: paid(4, { createdTs: now - 9 * day }), points }, { row: paid(0.25), points: [] },
    { row: paid(8, { parentId: 's4' }), points: [] }, { row: paid(16, { createdTs: 0, lastTs: now - 7 * day }), points: [] },
    { row: row({ sessionId: 'none', lastTs: now }), points: [] },
    { row: paid(2, { usage: { cost: { amount: 2, currency: 'EUR' } } }), points: [] },
  ], now);
  assert.equal(sumsText(spending.today), '$1.75, €2.00');
  assert.equal(sumsText(spending.week), '$3.25, €2.00');
  assert.deepEqual(spending.days.map(({ sums }) => sums.get('USD') ?? 0), [1.75, 0, 0, 1.5, 0, 0, 0]);
  assert.deepEqual(spending.sessions.map(({ row: one }) => one.sessionId), ['s4', 's2', 's0.25']);
  assert.equal(spending.days[6].start, dayStart(now, 6));
});

test('onlySessionsOfSeveralDaysAreAskedForTheirCostsAndOnlyOnce', async () => {
  /** @type {string[]} */ const asked = [];
  const old = paid(4, { createdTs: now - 3 * day, agent: 'old' });
  const client = /** @type {any} */ ({
    async query(/** @type {string} */ name, /** @type {any} */ params) {
      asked.push(`${name} ${params.agent ?? params.archived ?? params.cursor ?? ''}`);
      const cost = (/** @type {number} */ ts, /** @type {number} */ amount) => ({ ts, amount, currency: 'USD' });
      if (name === 'sessions:get') return { costs: [cost(now - 3 * day, 3), cost(now, 4)] };
      if (params.archived) return { data: [paid(1)] };
      return params.cursor ? { data: [paid(2), paid(32, { lastTs: 0 })], nextCursor: 'third' } : { data: [old], nextCursor: 'second' };
    },
  });
  const reader = new SpendingReader(client);
  const spending = await reader.read(now);
  assert.deepEqual([sumsText(spending.today), sumsText(spending.week), spending.isPart], ['$4.00', '$7.00', false]);
  assert.deepEqual(asked, ['sessions:list ', 'sessions:list second', 'sessions:list true', 'sessions:get old']);
  await reader.read(now);
  assert.equal(asked.length, 7);
});

test('aFailedReadOfCostsIsNotRememberedAndTheSumSaysSo', async () => {
  let isAway = true;
  const old = paid(4, { createdTs: now - 3 * day });
  const client = /** @type {any} */ ({
    async query(/** @type {string} */ name, /** @type {any} */ params) {
      if (name === 'sessions:list') return { data: params.archived ? [] : [old] };
      if (isAway) throw new Error('away');
      return { costs: [{ ts: now - 3 * day, amount: 3, currency: 'USD' }, { ts: now, amount: 4, currency: 'USD' }] };
    },
  });
  const reader = new SpendingReader(client);
  const failed = await reader.read(now);
  assert.deepEqual([failed.sessions.length, failed.isPart], [0, true]);
  isAway = false;
  const read = await reader.read(now);
  assert.deepEqual([sumsText(read.today), sumsText(read.week), read.isPart], ['$1.00', '$4.00', false]);
});

test('anAnswerIsFoundAgainWhenTheJournalsEpochHasChanged', () => {
  const session = { agent: 'a', sessionId: 's', journal: '9f03c2aa-1-1' };
  assert.equal(askKey(session, 1), askKey({ ...session, journal: '9f03c2aa-1-2' }, 1));
  assert.notEqual(askKey(session, 1), askKey({ ...session, journal: '9f03c2aa-2-1' }, 1));
  assert.equal(askKey({ ...session, journal: '' }, 1), askKey({ agent: 'a', sessionId: 's' }, 1));
});

test('theHeightsOutsideOfTheWindowAreThePlainSums', () => {
  const random = randomNumbers();
  const upTo = (/** @type {number} */ limit) => Math.floor(random() * (limit + 1));
  const heights = new RowHeights();
  /** @type {Map<number, number>} */ const known = new Map();
  let rows = Array.from({ length: 50 }, (_, id) => ({ id }));
  heights.rows = rows;
  for (let step = 0; step < 300; step += 1) {
    if (step % 20 === 19) {
      rows = [{ id: 1000 + step }, ...rows.filter(() => random() > 0.05), { id: 2000 + step }];
      heights.rows = rows;
    }
    if (step === 200) { heights.clear(); known.clear(); }
    const from = upTo(rows.length);
    const to = from + upTo(rows.length - from);
    heights.moveWindow(from, to);
    for (const { id } of rows.slice(from, to)) {
      if (random() < 0.5) continue;
      known.set(id, upTo(300));
      heights.set(id, known.get(id) ?? 0);
    }
    const mean = known.size > 0 ? [...known.values()].reduce((sum, height) => sum + height, 0) / known.size : 72;
    const plain = (/** @type {{ id: number }[]} */ part) => part.reduce((sum, { id }) => sum + (known.get(id) ?? mean), 0);
    const where = `step ${step}, seed ${seed}`;
    assert.ok(Math.abs(heights.above - plain(rows.slice(0, from))) < 1e-6, where);
    assert.ok(Math.abs(heights.below - plain(rows.slice(to))) < 1e-6, where);
  }
});
