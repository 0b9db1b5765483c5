import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Feed } from '../../Sources/Page/web/feed.js';
import { Timeline, CONTENT_LIMIT } from '../../Sources/Page/web/timeline.js';
import { randomNumbers, seed } from './random.js';

const at = 1_763_697_600_000;
const update = (/** @type {any} */ body) => ({ ts: at, kind: 'update', notification: { params: { sessionId: 's', update: body } } });
const chunk = (/** @type {string} */ text, messageId = 'm') =>
  update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } });
const tool = (/** @type {any} */ body) => update({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...body });
const ask = {
  ts: at, kind: 'permission_request',
  data: { requestId: 5, params: { toolCall: { toolCallId: 't' }, options: [{ optionId: 'y', name: 'Allow', kind: 'allow_once' }] } },
};
const answer = {
  ts: at, kind: 'permission_answer',
  data: { requestId: 5, by: 'phone', result: { outcome: { outcome: 'selected', optionId: 'y' } } },
};

/** @param {any[]} entries @param {number} [first] */
function timeline(entries, first = 1) {
  const made = new Timeline();
  entries.forEach((entry, index) => made.append(first + index, entry));
  return made;
}

/**
 * What a reader sees.
 * @param {Timeline} made
 */
const seen = (made) => made.rows.map(({ kind, first, text, tool: call, ask: question }) =>
  [kind, first, text ?? call?.title ?? question?.state, call?.status]);

test('chunksOfOneMessageAreOneRow', () => {
  assert.deepEqual(seen(timeline([chunk('a'), chunk('b'), chunk('c', 'other')])), [
    ['message', 1, 'ab', undefined], ['message', 3, 'c', undefined]]);
});

test('aLongMessageContinuesInAnotherRow', () => {
  const made = timeline(Array.from({ length: 50 }, () => chunk('x'.repeat(1000))));
  assert.equal(made.rows.length, 2);
  assert.equal(made.rows.reduce((sum, row) => sum + (row.text?.length ?? 0), 0), 50_000);
});

test('anAnswerIsTakenWhenItsToolCallMoves', () => {
  const made = timeline([tool({ title: 'Edit' }), ask]);
  assert.equal(made.rows[1].ask?.state, 'pending');
  made.append(3, answer);
  assert.equal(made.rows[1].ask?.state, 'answered');
  assert.equal(made.rows[1].ask?.by, 'phone');
  assert.equal(made.rows[1].ask?.outcome, 'Allow');
  made.append(4, tool({ toolCallId: 'unrelated' }));
  assert.equal(made.rows[1].ask?.state, 'answered');
  made.append(5, tool({ status: 'in_progress' }));
  assert.equal(made.rows[1].ask?.state, 'taken');
});

test('aRequestOfBackgroundWorkOutlivesTheTurnAndEndsWithTheAgent', () => {
  const made = timeline([ask, { ts: at, kind: 'turn_end', data: { stopReason: 'end_turn' } }]);
  assert.equal(made.rows[0].ask?.state, 'pending');
  made.append(3, { ts: at, kind: 'agent_exit', data: { reason: 'exited', exitCode: 0 } });
  assert.equal(made.rows[0].ask?.state, 'withdrawn');
});

test('theCallsOfACancelledTurnAreCancelled', () => {
  const prompt = { ts: at, kind: 'prompt', data: { prompt: [{ type: 'text', text: 'do it' }] } };
  const made = timeline([tool({ toolCallId: 'before', status: 'in_progress' }), prompt, tool({ status: 'in_progress' }),
  tool({ toolCallId: 'done', status: 'completed' }), { ts: at, kind: 'turn_end', data: { stopReason: 'cancelled' } }]);
  assert.deepEqual(made.rows.map((row) => row.tool?.status), ['in_progress', undefined, 'cancelled', 'completed', undefined]);
});

const turnEnd = (stopReason = 'end_turn') => ({ ts: at, kind: 'turn_end', data: { stopReason } });

test('aCallThatRunsKeepsItsStatusWhenItsBeginningIsLoadedLater', () => {
  const later = timeline([tool({ rawOutput: 'more' })], 301);
  assert.deepEqual(later.rows.map((row) => row.tool?.status), ['in_progress']);
  later.prepend(timeline([tool({ sessionUpdate: 'tool_call', title: 'Build', status: 'in_progress' })]));
  assert.deepEqual(seen(later), [['tool', 1, 'Build', 'in_progress']]);
  const done = timeline([tool({ status: 'completed' })], 301);
  done.prepend(timeline([tool({ sessionUpdate: 'tool_call', title: 'Build', status: 'in_progress' })]));
  assert.deepEqual(seen(done), [['tool', 1, 'Build', 'completed']]);
});

test('aCallThatIsOpenAtTheEndOfItsTurnIsNotFinished', () => {
  const call = tool({ sessionUpdate: 'tool_call', title: 'Build', status: 'in_progress' });
  const made = timeline([call, turnEnd()]);
  assert.equal(made.rows[0].tool?.status, 'unfinished');
  // Work in the background continues.
  made.append(3, tool({ rawOutput: 'more' }));
  assert.equal(made.rows[0].tool?.status, 'in_progress');
  for (const entries of [[turnEnd()], [tool({ rawOutput: 'more' }), turnEnd()]]) {
    const later = timeline(entries, 301);
    later.prepend(timeline([call]));
    assert.equal(later.rows[0].tool?.status, 'unfinished');
  }
  const continued = timeline([turnEnd(), tool({ rawOutput: 'more' })], 301);
  continued.prepend(timeline([call]));
  assert.equal(continued.rows[0].tool?.status, 'in_progress');
});

test('aCallThatAPersonRejectedIsMarked', () => {
  const params = { toolCall: { toolCallId: 't' }, options: [{ optionId: 'n', name: 'No', kind: 'reject_once' }] };
  const no = { ...answer, data: { requestId: 5, result: { outcome: { outcome: 'selected', optionId: 'n' } } } };
  const made = timeline([tool({ title: 'Push' }), { ...ask, data: { requestId: 5, params } }, no, tool({ status: 'failed' })]);
  assert.equal(made.rows[0].tool?.isRejected, true);
  assert.equal(timeline([tool({ title: 'Push' }), ask, answer]).rows[0].tool?.isRejected, false);
  // The agent asks again, and the answer is another one.
  made.append(5, ask);
  made.append(6, answer);
  assert.equal(made.rows[0].tool?.isRejected, false);
});

/**
 * A bridge of one session with numbered entries.
 * @param {number} head
 * @param {{ fault: string }} state A fault that it answers with; empty if there is none.
 */
function fakeClient(head, state) {
  /** @type {any[]} */ const streams = [];
  return /** @type {any} */ ({
    streams,
    timeline(/** @type {any} */ _session, /** @type {any} */ handlers) {
      const stream = { handlers, isClosed: false, close() { stream.isClosed = true; } };
      streams.push(stream);
      setImmediate(() => {
        if (stream.isClosed) return;
        if (state.fault) { handlers.onError(Object.assign(new Error(state.fault), { isFinal: true, code: '-32603' })); return; }
        const after = handlers.from?.seq ?? head;
        handlers.onOpen({ startSeq: after + 1, headSeq: head, journal: 'j' });
        for (let n = after + 1; n <= head && !stream.isClosed; n += 1) handlers.onEntry(n, chunk(`word ${n}`, `m${n}`));
      });
      return stream;
    },
  });
}

const newFeed = (/** @type {any} */ client) => new Feed(client, { sessionId: 's' }, { onChange: () => { }, isAtEnd: () => false });
const opened = async (/** @type {any} */ feed) => { for (let turns = 0; turns < 10 && !feed.isOpen; turns += 1) await new Promise(setImmediate); };

test('anEarlierPageThatFailsIsNotReportedAsLoaded', async () => {
  const state = { fault: '' };
  const feed = newFeed(fakeClient(1000, state));
  await feed.openAtEnd();
  await opened(feed);
  assert.deepEqual([feed.first, feed.last], [701, 1000]);
  state.fault = 'the log could not be read';
  assert.equal(await feed.loadEarlier(), false);
  assert.deepEqual([feed.first, feed.fault], [701, state.fault]);
  state.fault = '';
  // A second call waits for the page that is on its way.
  assert.deepEqual(await Promise.all([feed.loadEarlier(), feed.loadEarlier()]), [true, true]);
  assert.deepEqual([feed.first, await feed.loadEarlier(), await feed.loadEarlier(), feed.first], [101, true, false, 1]);
});

test('aStreamThatEndedWithAFaultIsFollowedAgain', async () => {
  const state = { fault: '' };
  const client = fakeClient(10, state);
  const feed = newFeed(client);
  await feed.openAtEnd();
  await opened(feed);
  client.streams.at(-1).handlers.onError(Object.assign(new Error('away'), { isFinal: true, code: '-32603' }));
  assert.deepEqual([feed.isFollowing, feed.fault], [false, 'away']);
  state.fault = 'still away';
  await feed.openAgain();
  assert.deepEqual([feed.isFollowing, feed.fault], [false, 'still away']);
  state.fault = '';
  await feed.openAgain();
  client.streams.at(-1).handlers.onEntry(11, chunk('more'));
  assert.deepEqual([feed.isFollowing, feed.fault, feed.last], [true, '', 11]);
});

test('aQuestionIsAnsweredAndTaken', () => {
  const params = { mode: 'form', message: 'Which branch?', requestedSchema: { properties: { branch: { type: 'string' } } } };
  const made = timeline([
    { ts: at, kind: 'elicitation_request', data: { requestId: 6, params } },
    { ts: at, kind: 'elicitation_answer', data: { requestId: 6, by: 'phone', result: { action: 'accept' } } }]);
  assert.deepEqual([made.rows[0].kind, made.rows[0].ask?.state, made.rows[0].ask?.outcome, made.rows[0].ask?.by],
    ['question', 'answered', 'Answered', 'phone']);
  made.append(3, chunk('On main.'));
  assert.equal(made.rows[0].ask?.state, 'taken');
});

test('anUnansweredRequestIsWithdrawnAtTheEndOfACancelledTurn', () => {
  const made = timeline([ask, { ts: at, kind: 'turn_end', data: { stopReason: 'cancelled' } }]);
  assert.equal(made.rows[0].ask?.state, 'withdrawn');
});

test('aCallIsMarkedWhileItsRequestIsOpen', () => {
  const made = timeline([tool({ title: 'Edit' }), ask]);
  assert.equal(made.rows[0].tool?.isAsked, true);
  const { version } = made.rows[0];
  made.append(3, answer);
  assert.equal(made.rows[0].tool?.isAsked, false);
  assert.ok(made.rows[0].version > version);
  const cancelled = timeline([tool({ title: 'Edit' }), ask, { ts: at, kind: 'turn_end', data: { stopReason: 'cancelled' } }]);
  assert.equal(cancelled.rows[0].tool?.isAsked, false);
});

test('aRequestOfVersion2HasTheContentOfItsCall', () => {
  const patch = { format: 'git_patch', text: '@@ -1 +1 @@\n-a\n+b\n' };
  const content = [{ type: 'diff', changes: [{ operation: 'modify', path: '/a/b' }], patch }];
  const request = (/** @type {any} */ subject) => ({
    ts: at, kind: 'permission_request', data: { requestId: 6, params: { title: 'Edit b?', subject, options: [] } },
  });
  const made = timeline([tool({ title: 'Edit', content }), request({ type: 'tool_call', toolCall: { toolCallId: 't' } })]);
  assert.deepEqual(made.rows[1].ask?.params.toolCall.content, [{ type: 'diff', path: '/a/b', patch: patch.text }]);
  const command = timeline([request({ type: 'command', command: 'make', cwd: '/a' })]);
  assert.equal(command.rows[0].ask?.params.toolCall.rawInput.command, 'make');
});

test('theAnswerToAPromptOfVersion2IsNotTheEndOfItsTurn', () => {
  const state = (/** @type {any} */ more) => update({ sessionUpdate: 'state_update', ...more });
  const made = timeline([{ ts: at, kind: 'prompt', data: { prompt: [{ type: 'text', text: 'do it' }] } }, state({ state: 'running' }),
  { ts: at, kind: 'turn_end', data: { messageId: 'user_1' } }, chunk('a'), state({ state: 'idle', stopReason: 'end_turn' }),
  chunk('b', 'n'), state({ state: 'idle', background: [] })]);
  assert.deepEqual(made.rows.map(({ kind }) => kind), ['prompt', 'message', 'turn', 'message']);
});

const terminal = (/** @type {any} */ more) => update({ sessionUpdate: 'terminal_update', terminalId: 'x', ...more });
const output = (/** @type {Buffer} */ bytes) =>
  update({ sessionUpdate: 'terminal_output_chunk', terminalId: 'x', data: bytes.toString('base64') });
const shows = { content: [{ type: 'terminal', terminalId: 'x' }] };

test('aCallShowsItsTerminalWhoseChunksCutCharacters', () => {
  const bytes = Buffer.from('☃ built\n');
  const made = timeline([terminal({ command: 'make' }), tool({ title: 'make', ...shows }), output(bytes.subarray(0, 2)),
  output(bytes.subarray(2)), terminal({ exitStatus: { exitCode: 2 } })]);
  assert.equal(made.rows.length, 1);
  assert.deepEqual(made.rows[0].tool?.content[0].terminal,
    { command: 'make', text: '☃ built\n', isCut: false, exit: { exitCode: 2 } });
});

test('aTerminalWithoutACallHasARowOfItsOwn', () => {
  const made = timeline([terminal({ command: 'make serve' }), output(Buffer.from('ready\n'))]);
  assert.deepEqual(seen(made), [['tool', 1, 'make serve', 'in_progress']]);
  made.append(3, terminal({ exitStatus: { exitCode: 0 } }));
  assert.equal(made.rows[0].tool?.status, 'completed');
});

test('aTerminalInTwoStretchesReadsLikeOneInOne', () => {
  const long = output(Buffer.from('y'.repeat(CONTENT_LIMIT)));
  const entries = [terminal({ command: 'make' }), output(Buffer.from('one ')), tool({ title: 'make', ...shows }),
  output(Buffer.from('two ')), long, terminal({ exitStatus: { exitCode: 0 } })];
  const own = [terminal({ command: 'make' }), long, output(Buffer.from('two ')), terminal({ exitStatus: { exitCode: 1 } })];
  for (const all of [entries, own]) {
    for (let cut = 0; cut <= all.length; cut += 1) {
      const later = timeline(all.slice(cut), cut + 1);
      later.prepend(timeline(all.slice(0, cut)));
      assert.deepEqual(seen(later), seen(timeline(all)), `cut at ${cut}`);
      assert.deepEqual(later.rows[0].tool?.content, timeline(all).rows[0].tool?.content, `cut at ${cut}`);
    }
  }
});

test('largeToolContentIsCutAndNamesTheEntryThatHasIt', () => {
  const text = 'y'.repeat(CONTENT_LIMIT * 3);
  const made = timeline([tool({ content: [{ type: 'content', content: { type: 'text', text } }] })], 7);
  assert.equal(made.rows[0].tool?.content[0].content.text.length, CONTENT_LIMIT);
  assert.equal(made.rows[0].tool?.cut?.seq, 7);
  assert.ok((made.rows[0].tool?.cut?.size ?? 0) > text.length);
});

test('theSizeCoversTheTextOfAllRows', () => {
  const made = timeline([chunk('x'.repeat(5000)), tool({ rawInput: { command: 'z'.repeat(3000) } })]);
  assert.ok(made.size > 9000 && made.size < 11_000, String(made.size));
  made.trim(0);
  assert.equal(made.rows.length, 1);
  assert.ok(made.size < 6000);
});

test('rowsFromANumberOnAreDropped', () => {
  const made = timeline([chunk('a', '1'), chunk('b', '2'), chunk('c', '3')]);
  made.dropFrom(2);
  assert.deepEqual(seen(made), [['message', 1, 'a', undefined]]);
});

test(`aTimelineInTwoStretchesReadsLikeOneInOne (SEED=${seed})`, () => {
  const random = randomNumbers();
  const kinds = [
    () => chunk('word ', random() < 0.9 ? 'm' : 'n'),
    () => tool({ status: random() < 0.5 ? 'in_progress' : 'completed' }),
    () => tool({ toolCallId: `t${Math.floor(random() * 4)}`, title: `call ${Math.floor(random() * 100)}` }),
    () => ({ ts: at, kind: 'prompt', data: { prompt: [{ type: 'text', text: 'do it' }] } }),
    () => ({ ts: at, kind: 'turn_end', data: { stopReason: 'end_turn' } }),
  ];
  for (let round = 0; round < 300; round += 1) {
    const entries = Array.from({ length: 30 }, () => kinds[Math.floor(random() * kinds.length)]());
    const cut = Math.floor(random() * 31);
    const later = timeline(entries.slice(cut), cut + 1);
    later.prepend(timeline(entries.slice(0, cut)));
    assert.deepEqual(seen(later), seen(timeline(entries)));
  }
});

test('entriesOfAnyShapeAreAccepted', () => {
  const odd = [null, 0, '', [], {}, { type: 'text' }, { type: 'image' }, 'x'];
  for (const value of odd) {
    for (const kind of ['agent_message_chunk', 'tool_call', 'agent_message', 'plan', 'state_update', 'tool_call_content_chunk',
      'terminal_update', 'terminal_output_chunk']) {
      const more = { title: value, status: value, data: value, output: value, exitStatus: value };
      timeline([update({ sessionUpdate: kind, content: value, toolCallId: value, ...more })]);
      const content = [{ type: 'diff', changes: value, patch: value }, { type: 'terminal', terminalId: value }];
      timeline([update({ sessionUpdate: kind, toolCallId: 'a', content })]);
    }
    for (const kind of ['prompt', 'turn_end', 'permission_request', 'permission_answer', 'agent_exit', 'toString']) {
      timeline([{ ts: at, kind, data: value }]);
    }
  }
});

test('aRowOfMergedEntriesBeginsWithTheirFirstNumber', () => {
  const timeline = new Timeline();
  timeline.append(1, { kind: 'prompt', ts: 1, data: { prompt: [{ type: 'text', text: 'a' }] } });
  timeline.skip(2, 40, 'merge');
  const update = { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text: 'all' } };
  timeline.append(41, { kind: 'update', ts: 2, notification: { params: { update } } });
  timeline.append(42, { kind: 'turn_end', ts: 3, data: {} });
  assert.deepEqual(timeline.rows.map(({ first, last }) => [first, last]), [[1, 1], [2, 41], [42, 42]]);
});

test('anAgentThatIsGoneAsksForNothing', () => {
  const request = { requestId: 7, params: { toolCall: { toolCallId: 'c', title: 'rm' }, options: [] } };
  const rows = new Timeline();
  rows.append(1, { kind: 'prompt', ts: 1, data: { prompt: [{ type: 'text', text: 'a' }] } });
  rows.append(2, update({ sessionUpdate: 'tool_call', toolCallId: 'c', status: 'pending' }));
  rows.append(3, { kind: 'permission_request', ts: 3, data: request });
  for (let n = 0; n < 2; n += 1) rows.agentIsGone(true);
  assert.deepEqual(rows.rows.map(({ kind, ask, tool }) => [kind, ask?.state ?? tool?.status]),
    [['prompt', undefined], ['tool', 'unfinished'], ['permission', 'withdrawn'], ['note', undefined]]);
  rows.append(4, { kind: 'agent_start', ts: 4, data: { agent: 'demo' } });
  rows.append(5, { kind: 'permission_request', ts: 5, data: { ...request, requestId: 8 } });
  // The note was too early, because the agent was started again.
  assert.deepEqual(rows.rows.map(({ kind, ask }) => ask?.state ?? kind), ['prompt', 'tool', 'withdrawn', 'note', 'pending']);
});

test('aRequestWhoseIdIsUsedAgainIsNoLongerOpen', () => {
  const ask = (/** @type {number} */ ts) => ({ kind: 'permission_request', ts, data: { requestId: 0, params: { options: [] } } });
  const [earlier, later] = [new Timeline(), new Timeline()];
  earlier.append(1, ask(1));
  later.append(2, { kind: 'agent_start', ts: 2, data: { agent: 'demo' } });
  later.append(3, ask(3));
  later.append(4, ask(4));
  later.prepend(earlier);
  assert.deepEqual(later.rows.map(({ kind, ask: row }) => row?.state ?? kind), ['withdrawn', 'note', 'withdrawn', 'pending']);
});

test('aSubagentHasOneRowWhereItWasAnnouncedFirst', () => {
  const subagent = (/** @type {any} */ body) => update({ sessionUpdate: 'subagent_update', sessionId: 's.a', ...body });
  const made = timeline([chunk('b'), subagent({ title: 'Explorer, done' }), subagent({ state: { state: 'idle' } })], 11);
  assert.deepEqual(seen(made), [['message', 11, 'b', undefined], ['note', 12, 'Explorer, done', undefined]]);
  assert.deepEqual(made.rows[1].data, { sessionId: 's.a' });
  made.prepend(timeline([subagent({ title: 'Explorer' }), chunk('a', 'first')]));
  assert.deepEqual(seen(made), [['note', 1, 'Explorer, done', undefined], ['message', 2, 'a', undefined], ['message', 11, 'b', undefined]]);
  made.append(14, subagent({ title: 'Explorer, again' }));
  assert.equal(made.rows[0].text, 'Explorer, again');
});

test('aTurnThatEndsWithItsAgentIsInterrupted', () => {
  const prompt = { ts: at, kind: 'prompt', data: { prompt: [{ type: 'text', text: 'do it' }] } };
  const exit = { ts: at, kind: 'agent_exit', data: { reason: 'exited', exitCode: 0 } };
  const made = timeline([prompt, tool({ title: 'Run', status: 'in_progress' }), exit]);
  assert.deepEqual(made.rows.map(({ kind, tool: call, data }) => [kind, call?.status ?? data?.stopReason]), [
    ['prompt', undefined], ['tool', 'unfinished'], ['turn', 'interrupted'], ['note', undefined]]);
  const over = timeline([prompt, { ts: at, kind: 'turn_end', data: { stopReason: 'end_turn' } }, exit]);
  assert.deepEqual(over.rows.map(({ kind }) => kind), ['prompt', 'turn', 'note']);
});

/** @type {{ cases: { kind: string, words: string[], updates: any[], isUnknown?: boolean, panel?: boolean }[] }} */
const kinds = JSON.parse(readFileSync(new URL('./update-kinds.json', import.meta.url), 'utf8'));
/** @param {{ kind: string, updates: any[] }} one */
const updatesOf = ({ kind, updates }) => updates.map((body) => update({ sessionUpdate: kind, ...body }));

// The renderer of terminals reads the same list in SessionTextTests.
test('thePageKnowsTheKindsOfUpdateThatTheTerminalKnows', () => {
  const listed = new Set(kinds.cases.filter(({ isUnknown }) => !isUnknown).map(({ kind }) => kind));
  assert.deepEqual([...Timeline.kinds].sort(), [...listed].sort());
});

test('thePageShowsTheWordsOfEachKindOfUpdate', () => {
  for (const one of kinds.cases) {
    // A call can have been announced before.
    const earlier = one.kind === 'tool_call_content_chunk' ? [tool({ toolCallId: 'k10', title: 'Write' })]
      : one.kind === 'terminal_output_chunk' ? [update({ sessionUpdate: 'terminal_update', terminalId: 'k11', command: 'make' })] : [];
    const { rows } = timeline([...earlier, ...updatesOf(one)]);
    const shown = JSON.stringify(rows);
    if (one.words.length === 0 || one.panel) assert.equal(shown, '[]', one.kind);
    else for (const word of one.words) assert.ok(shown.includes(word), `${one.kind}: ${word} in ${shown}`);
  }
});

const updates = (/** @type {any[]} */ ...bodies) => bodies.map((body) => update(body));
const summary = (/** @type {string} */ text) =>
  ({ sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: { type: 'text', text } });
const compaction = (/** @type {any} */ body) => ({ sessionUpdate: 'compaction_update', compactionId: 'c', ...body });

test('aCompactionIsOneRowWithItsSummary', () => {
  const began = [compaction({ status: 'in_progress' }), summary('One, ')];
  const ended = [summary('two'), compaction({ status: 'completed' })];
  const whole = timeline(updates(...began, ...ended));
  const later = timeline(updates(...ended), 3);
  later.prepend(timeline(updates(...began)));
  for (const made of [whole, later]) {
    const seenRows = made.rows.map(({ kind, text, data }) => [kind, text, data.body]);
    assert.deepEqual(seenRows, [['detail', 'The context was compacted', 'One, two']]);
  }
  whole.append(5, update(compaction({ status: 'completed', summary: [{ type: 'text', text: 'All' }] })));
  assert.equal(whole.rows[0].data.body, 'All');
  const failed = timeline(updates(compaction({ status: 'failed', error: 'no room' })));
  assert.deepEqual([failed.rows[0].text, failed.rows[0].isFault], ['Compaction failed: no room', true]);
});

test('updatesOfOneUnknownKindAreOneRow', () => {
  const beats = [1, 2, 3].map((beat) => update({ sessionUpdate: '_x/beat', beat }));
  const made = timeline([chunk('a'), ...beats, update({ sessionUpdate: '_x/\u202ebig', text: 'x'.repeat(CONTENT_LIMIT) })]);
  assert.deepEqual(made.rows.slice(1).map(({ text }) => text),
    ['Update of unknown kind _x/beat, 3 times', 'Update of unknown kind _x/⟨U+202E⟩big']);
  assert.match(made.rows[1].data.body, /"beat": 3/);
  assert.equal(made.rows[2].data.body, '');
  const later = timeline(beats, 10);
  later.prepend(made);
  assert.deepEqual(later.rows.map(({ text }) => text?.slice(-7)), ['a', '6 times', '02E⟩big']);
  assert.equal(timeline(updates({ sessionUpdate: 7 }, {})).rows.length, 0);
});

test('aModeIsNotedWhenItChanges', () => {
  const mode = (/** @type {string} */ currentValue) => update({
    sessionUpdate: 'config_option_update', configOptions: [{
      configId: 'm', category: 'mode', currentValue, options: [{ value: 'plan', name: 'Plan first' }],
    }],
  });
  const made = timeline([mode('code'), mode('code'), mode('plan'), mode('plan')]);
  assert.deepEqual(made.rows.map(({ text }) => text), ['Mode: code', 'Mode: Plan first']);
  const later = timeline([mode('plan'), mode('code')], 5);
  later.prepend(made);
  assert.deepEqual(later.rows.map(({ text }) => text), ['Mode: code', 'Mode: Plan first', 'Mode: code']);
  assert.equal(later.size, later.rows.reduce((sum, row) => sum + row.size, 0));
});

test('aMessageBetweenSessionsNamesTheOtherOne', () => {
  const content = [{ type: 'text', text: 'a' }];
  const message = (/** @type {any} */ body) => ({ sessionUpdate: 'session_message', messageId: 'm', content, ...body });
  const made = timeline([chunk('b'), ...updates(message({ senderSessionId: 'p', recipientSessionId: 's' }), message({ content: null }))]);
  assert.deepEqual(made.rows.map(({ kind, text }) => [kind, text]), [['message', 'b'], ['between', '']]);
  assert.deepEqual(made.rows[1].data, { from: 'p', to: undefined });
});

test('eachTextOfAPlanHasARow', () => {
  const plan = (/** @type {string} */ content) => ({ sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content } });
  const made = timeline([...updates(plan('one'), plan('two')), chunk('a'), ...updates(plan('two'), plan('three'))]);
  assert.deepEqual(made.rows.map(({ text, data }) => data?.body ?? text), ['two', 'a', 'three']);
});
