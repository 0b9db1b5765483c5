import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedFiles, changeFacts, entryDiffs, mergedFiles } from '../../Sources/Page/web/changes.js';
import { Feed } from '../../Sources/Page/web/feed.js';
import { sizeOf, Timeline } from '../../Sources/Page/web/timeline.js';

const at = 1_763_697_600_000;
const update = (/** @type {any} */ body) => ({ ts: at, kind: 'update', notification: { params: { sessionId: 's', update: body } } });
const diff = (/** @type {string} */ path, /** @type {string | null} */ oldText, /** @type {string} */ newText) =>
  ({ type: 'diff', path, oldText, newText });
const edit = (/** @type {string} */ toolCallId, /** @type {any} */ content, status = 'completed') =>
  update({ sessionUpdate: 'tool_call', toolCallId, title: `Edit ${toolCallId}`, kind: 'edit', status, content: [content].flat() });

/** @param {any[]} entries @param {number} [first] */
function timeline(entries, first = 1) {
  const made = new Timeline();
  entries.forEach((entry, index) => {
    const facts = changeFacts(entry);
    if (facts) made.append(first + index, facts);
  });
  return made;
}

/** @param {Timeline} made What a person reads: the path, and for each diff its texts, its calls' numbers and its state. */
const seen = (made) => changedFiles(made.rows).map(({ path, changes }) => [path, ...changes.map(({ diff: one, places, state }) =>
  [one.oldText, one.newText, places.map(({ number }) => number).join(), state].join(' '))]);

test('aFileHasOneEntryAndChangesThatFollowEachOtherAreOneDiff', () => {
  const made = timeline([edit('1', diff('b', 'one', 'two')), edit('2', diff('a', null, 'new')), edit('3', diff('b', 'two', 'three')),
  edit('4', diff('b', 'part', 'other'))]);
  assert.deepEqual(seen(made), [['a', ' new 2 made'], ['b', 'one three 1,3 made', 'part other 4 made']]);
});

test('changesThatUndoEachOtherAreNoChange', () => {
  const undone = [edit('1', diff('a', 'one', 'two')), edit('2', diff('a', 'two', 'one'))];
  assert.deepEqual(seen(timeline(undone)), []);
  assert.deepEqual(seen(timeline([...undone, edit('3', diff('a', 'one', 'three'))])), [['a', 'one three 1,2,3 made']]);
});

test('anEmptyTextIsTheBeginningOfNothing', () => {
  const made = timeline([edit('1', diff('a', 'line', '')), edit('2', diff('a', '', 'another'))]);
  assert.deepEqual(seen(made), [['a', 'line  1 made', ' another 2 made']]);
});

test('callsThatFailedOrWereRejectedHaveChangedNothing', () => {
  const ask = {
    ts: at, kind: 'permission_request', data: {
      requestId: 1, params: {
        toolCall: { toolCallId: '2' }, options: [{ optionId: 'y', kind: 'allow_once' }, { optionId: 'n', kind: 'reject_once' }]
      }
    }
  };
  const answer = (/** @type {string} */ optionId) => ({
    ts: at, kind: 'permission_answer', data: { requestId: 1, result: { outcome: { outcome: 'selected', optionId } } },
  });
  const entries = [edit('1', diff('a', '1', '2'), 'failed'), edit('2', diff('b', '1', '2'), 'pending'), ask];
  assert.deepEqual(seen(timeline(entries)), [['b', '1 2 2 waiting']]);
  assert.deepEqual(seen(timeline([...entries, answer('n')])), []);
  assert.deepEqual(seen(timeline([...entries, answer('y')])), [['b', '1 2 2 running']]);
  const done = update({ sessionUpdate: 'tool_call_update', toolCallId: '2', status: 'completed', content: [{ type: 'content' }] });
  assert.deepEqual(seen(timeline([...entries, answer('y'), done])), [['b', '1 2 2 made']], 'a result without a diff keeps the change');
  const cancelled = { ts: at, kind: 'turn_end', data: { stopReason: 'cancelled' } };
  assert.deepEqual(seen(timeline([...entries, cancelled])), []);
});

test('onlyWhatTellsOfChangesIsKept', () => {
  const output = 'x'.repeat(100_000);
  const entries = [
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: output } }),
    { ts: at, kind: 'prompt', data: { prompt: [{ type: 'text', text: output }] } },
    update({ sessionUpdate: 'tool_call', toolCallId: 'r', rawOutput: output, content: [{ type: 'content', content: output }] }),
    { ts: at, kind: 'permission_request', data: { requestId: 1, params: { toolCall: { toolCallId: 'r', rawInput: output } } } },
  ];
  assert.ok(sizeOf(entries.map(changeFacts)) < 1000);
  for (const odd of [null, 0, '', [], {}, 'x']) {
    for (const kind of ['update', 'permission_request', 'turn_end', odd]) {
      changeFacts({ kind, data: odd, notification: odd });
      changeFacts({ kind, data: { params: odd }, notification: { params: { update: odd } } });
    }
    changeFacts(odd);
    timeline([edit('1', odd), edit('2', { type: 'diff', path: odd, oldText: odd, newText: odd })]);
  }
});

test('aLargeChangeIsFoundWholeInItsEntry', () => {
  const entry = edit('1', [diff('a', 'old', 'x'.repeat(300_000)), diff('b', null, 'y')]);
  const made = new Timeline(1000);
  made.append(7, changeFacts(entry));
  const [{ changes: [change] }] = changedFiles(made.rows);
  assert.deepEqual([change.diff.isCut, change.seq], [true, 7]);
  assert.equal(entryDiffs(entry, 'a')[0].newText?.length, 300_000);
});

/** A session of 10,000 entries, with a change in each 100th. */
const long = /** @type {any} */ ({
  timeline(/** @type {any} */ _session, /** @type {any} */ handlers) {
    const stream = { isClosed: false, close() { stream.isClosed = true; } };
    setImmediate(() => {
      if (stream.isClosed) return;
      const after = handlers.from?.seq ?? 10_000;
      handlers.onOpen({ startSeq: after + 1, headSeq: 10_000, journal: 'j' });
      for (let n = after + 1; n <= 10_000 && !stream.isClosed; n += 1) {
        const text = (/** @type {number} */ value) => `value ${value}`;
        handlers.onEntry(n, n % 100 === 0 ? edit(`c${n}`, diff('a', text(n - 100), text(n)))
          : update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'words' } }));
      }
    });
    return stream;
  },
});

test('aLongHistoryIsReadBackIntoOneDiff', async () => {
  const feed = new Feed(long, { sessionId: 's' }, { onChange: () => { }, isAtEnd: () => true, select: changeFacts, page: 2000 });
  await feed.openAtEnd();
  while (!feed.isOpen) await new Promise(setImmediate);
  let pages = 0;
  while (await feed.loadEarlier()) pages += 1;
  assert.deepEqual([feed.first, pages, feed.timeline.rows.length], [1, 5, 100]);
  const [{ changes }] = changedFiles(feed.timeline.rows);
  assert.deepEqual(changes.map(({ diff: one, places }) => [one.oldText, one.newText, places.length]), [['value 0', 'value 10000', 100]]);
});

test('changesOfSubagentsAreListedByFileAndMarked', () => {
  const change = (/** @type {string} */ key, /** @type {number} */ ts, by = '') =>
    /** @type {any} */({ key, places: [{ number: 1, ts, title: '' }], ...(by && { by }) });
  const merged = mergedFiles([
    [{ path: 'b', changes: [change('1', 10), change('2', 30)] }],
    [{ path: 'a', changes: [change('3', 5, 's1')] }, { path: 'b', changes: [change('4', 20, 's1')] }],
  ]);
  assert.deepEqual(merged.map(({ path, changes }) => [path, ...changes.map(({ key, by }) => [key, by])]),
    [['a', ['3', 's1']], ['b', ['1', undefined], ['4', 's1'], ['2', undefined]]]);
});
