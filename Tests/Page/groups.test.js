import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Groups } from '../../Sources/Page/web/groups.js';
import { Timeline } from '../../Sources/Page/web/timeline.js';
import { randomNumbers, seed } from './random.js';

const at = 1_763_697_600_000;
const update = (/** @type {any} */ body) => ({ ts: at, kind: 'update', notification: { params: { sessionId: 's', update: body } } });
let calls = 0;
const call = (kind = 'read', status = 'completed', more = {}) =>
  update({ sessionUpdate: 'tool_call', toolCallId: `t${calls++}`, title: kind, kind, status, ...more });
const message = (kind = 'agent_message_chunk') => update({ sessionUpdate: kind, content: { type: 'text', text: 'words' } });
const thought = () => message('agent_thought_chunk');

/** @param {any[]} entries @param {number} [first] */
function timeline(entries, first = 1) {
  const made = new Timeline();
  entries.forEach((entry, index) => made.append(first + index, entry));
  return made;
}

/** @param {import('../../Sources/Page/web/timeline.js').Row[]} rows */
const seen = (rows) => rows.map(({ kind, text, tool }) => (kind === 'group' ? text : tool?.status === 'completed' ? tool.kind : tool?.status ?? kind));
const groups = (isHeld = (/** @type {any} */ _row) => false) => new Groups(isHeld);

test('aRunOfFinishedCallsTakesOneLine', () => {
  const made = timeline([message(), call(), call('search'), call(), call('execute'), message(), call(), call()]);
  assert.deepEqual(seen(groups().rowsOf(made.rows)), ['message', '4 tool calls: 2 read, 1 searched, 1 ran', 'message', 'read', 'read']);
});

test('aCallThatFailedRunsWaitsOrChangesAFileIsNeverHidden', () => {
  const ask = { ts: at, kind: 'permission_request', data: { requestId: 1, params: { toolCall: { toolCallId: 'asked' }, options: [] } } };
  const diff = { content: [{ type: 'diff', path: 'a', oldText: 'a', newText: 'b' }] };
  const run = [call(), call(), call()];
  const line = '3 tool calls: 3 read';
  for (const [entry, text] of [[call('execute', 'failed'), 'failed'], [call('read', 'in_progress'), 'in_progress'],
  [call('read', 'pending'), 'pending'], [call('edit'), 'edit'], [call('execute', 'completed', diff), 'execute']]) {
    assert.deepEqual(seen(groups().rowsOf(timeline([...run, entry, ...run.map(() => call())]).rows)), [line, text, line]);
  }
  const made = timeline([...run, call('read', 'completed', { toolCallId: 'asked' }), ask]);
  assert.deepEqual(seen(groups().rowsOf(made.rows)), [line, 'read', 'permission']);
});

test('theThoughtsBetweenCallsAreInTheirGroup', () => {
  const made = timeline([thought(), call(), thought(), call(), call(), thought()]);
  assert.deepEqual(seen(groups().rowsOf(made.rows)), ['thought', '3 tool calls: 3 read; 1 thought', 'thought']);
});

test('anOpenGroupShowsItsRowsAndALinkOpensIt', () => {
  const made = timeline([call(), call(), call(), message()]);
  const shown = groups();
  const [group] = shown.rowsOf(made.rows);
  assert.equal(shown.visible(made.rows[1]), group);
  shown.reveal(made.rows[1]);
  assert.deepEqual(seen(shown.rowsOf(made.rows)), ['3 tool calls: 3 read', 'read', 'read', 'read', 'message']);
  assert.ok(shown.has(made.rows[1]) && !shown.has(made.rows[3]));
  assert.equal(shown.visible(made.rows[1]), made.rows[1]);
  // It stays open when calls are added on either side.
  made.append(5, call());
  made.prepend(timeline([call()], 0));
  assert.equal(shown.rowsOf(made.rows)[0].id, group.id);
  assert.deepEqual(seen(shown.rowsOf(made.rows)).slice(0, 3), ['4 tool calls: 4 read', 'read', 'read']);
  shown.toggle(group.id);
  assert.deepEqual(seen(shown.rowsOf(made.rows)), ['4 tool calls: 4 read', 'message', 'read']);
});

test('aCallThatAPersonHasOpenedIsNotPutIntoAGroup', () => {
  const held = new Set();
  const made = timeline([call(), call(), call('execute', 'in_progress', { toolCallId: 'r' })]);
  const shown = groups((row) => held.has(row));
  shown.rowsOf(made.rows);
  held.add(made.rows[2]);
  made.append(4, update({ sessionUpdate: 'tool_call_update', toolCallId: 'r', status: 'completed' }));
  for (let n = 5; n < 8; n += 1) made.append(n, call());
  assert.deepEqual(seen(shown.rowsOf(made.rows)), ['read', 'read', 'execute', '3 tool calls: 3 read']);
  // One that is opened in its group stays there.
  held.add(made.rows[4]);
  assert.deepEqual(seen(shown.rowsOf(made.rows)), ['read', 'read', 'execute', '3 tool calls: 3 read']);
});

test(`everyRowIsShownOnceOrHiddenByOneGroup (SEED=${seed})`, () => {
  const random = randomNumbers();
  const kinds = [() => call(), () => call('search'), () => call('execute', 'in_progress', { toolCallId: 'x' }), message, thought,
  () => update({ sessionUpdate: 'tool_call_update', toolCallId: 'x', status: 'completed' })];
  for (let round = 0; round < 200; round += 1) {
    const made = new Timeline();
    const shown = groups();
    for (let n = 1; n < 40; n += 1) {
      made.append(n, kinds[Math.floor(random() * random() * kinds.length)]());
      const rows = shown.rowsOf(made.rows);
      assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'an id is used twice');
      const drawn = rows.filter(({ kind, data }) => kind !== 'group' || !data.isOpen);
      assert.deepEqual([...new Set(made.rows.map((row) => shown.visible(row)))], drawn);
      const group = rows.find(({ kind }) => kind === 'group');
      if (group && random() < 0.1) shown.toggle(group.id);
    }
  }
});
