import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MarkdownDocument, Redactor } from '../../Sources/Page/web/export.js';

/** @typedef {{ prefix: string, minimum: number, unit: string }} Form */
/** @type {{ forms: Form[], hidden: { prefix: string, unit: string, count: number }[], shown: string[], texts: [string, string][] }} */
const secrets = JSON.parse(readFileSync(new URL('./secrets.json', import.meta.url), 'utf8'));
const key = `sk-ant-api03-${'Ab1_'.repeat(8)}`;
const at = '2026-01-31T10:30:00.000Z';
const update = (/** @type {any} */ body) =>
  JSON.stringify({ seq: 1, ts: at, kind: 'update', notification: { method: 'session/update', params: { sessionId: 's', update: body } } });
const chunk = (/** @type {string} */ text, messageId = 'm', kind = 'agent_message_chunk') =>
  update({ sessionUpdate: kind, messageId, content: { type: 'text', text } });
const entry = (/** @type {string} */ kind, /** @type {any} */ data) => JSON.stringify({ seq: 1, ts: at, kind, data });

/** @param {string[]} lines */
function redacted(lines) {
  const redactor = new Redactor();
  const done = [...lines.flatMap((line) => redactor.add(line)), ...redactor.finish()];
  return { lines: done, count: redactor.count };
}

test('theTokensThatTheProgramHidesAreHidden', () => {
  for (const { prefix, unit, count } of secrets.hidden) {
    const redactor = new Redactor();
    assert.equal(redactor.hidden(`before ${prefix}${unit.repeat(count)} after`), 'before [redacted] after', prefix);
    assert.equal(redactor.count, 1);
  }
  for (const text of secrets.shown) assert.equal(new Redactor().hidden(text), text);
  for (const [before, after] of secrets.texts) assert.equal(new Redactor().hidden(before), after);
});

test('theFormsAreThoseOfTheProgram', () => {
  for (const { prefix, minimum, unit } of secrets.forms) {
    const shortest = prefix + unit.repeat(minimum);
    assert.equal(new Redactor().hidden(shortest), '[redacted]', prefix);
    assert.equal(new Redactor().hidden(shortest.slice(0, -1)), shortest.slice(0, -1), prefix);
  }
});

test('noTokenIsCutHoweverManyChunksItHas', () => {
  for (const [size, repeats] of [[4, 2000], [997, 30000]]) {
    const text = `ghp_${'0123456789'.repeat(4)} `.repeat(repeats);
    const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => chunk(text.slice(at * size, (at + 1) * size)));
    const { lines, count } = redacted(parts);
    assert.equal(count, repeats);
    assert.equal(lines.length, parts.length);
    assert.ok(lines.every((line) => !line.includes('ghp') && !line.includes('45')));
  }
});

test('aKeyWithoutAnEndIsHiddenBeyondTheLimit', () => {
  const rest = Array.from({ length: 3000 }, () => chunk('b3Bl'.repeat(250)));
  const { lines, count } = redacted([chunk('a -----BEGIN OPENSSH PRIV'), chunk('ATE KEY-----\n'), ...rest]);
  assert.equal(count, 1);
  assert.ok(lines.every((line) => !line.includes('b3Bl') && !line.includes('BEGIN')));
});

test('aTokenAfterALetterOfAnEarlierTextIsHidden', () => {
  const usage = update({ sessionUpdate: 'usage_update', used: 1 });
  assert.deepEqual(redacted([chunk('Done'), usage, chunk(key)]).lines, [chunk('Done'), usage, chunk('[redacted]')]);
});

test('aTokenInThePiecesOfOutputIsHidden', () => {
  const output = (/** @type {string} */ text, /** @type {string} */ terminalId) =>
    update({ sessionUpdate: 'terminal_output_chunk', terminalId, data: btoa(text) });
  const part = (/** @type {string} */ text) =>
    update({ sessionUpdate: 'tool_call_content_chunk', toolCallId: 'c', content: { type: 'content', content: { type: 'text', text } } });
  assert.deepEqual(
    redacted([
      output(`a ${key.slice(0, 9)}`, '1'), output('other', '2'), part(key.slice(0, 8)), output(`${key.slice(9)} b`, '1'),
      part(key.slice(8)),
    ]).lines,
    [output('a [redacted]', '1'), output('other', '2'), part('[redacted]'), output(' b', '1'), part('')]);
});

test('aTokenInTwoChunksIsHidden', () => {
  for (let split = 1; split < key.length; split += 1) {
    const { lines, count } = redacted([chunk(`a ${key.slice(0, split)}`), chunk(`${key.slice(split)} b`)]);
    assert.deepEqual(lines, [chunk('a [redacted]'), chunk(' b')], String(split));
    assert.equal(count, 1);
  }
});

test('aTokenInTwoChunksOfAnyTextIsHidden', () => {
  for (const kind of ['agent_thought_chunk', 'user_message_chunk', 'compaction_summary_chunk']) {
    assert.deepEqual(redacted([chunk(`a ${key.slice(0, 9)}`, 'm', kind), chunk(`${key.slice(9)} b`, 'm', kind)]).lines,
      [chunk('a [redacted]', 'm', kind), chunk(' b', 'm', kind)]);
  }
});

test('otherUpdatesBetweenTheChunksOfASecretStayInTheirPlace', () => {
  const usage = update({ sessionUpdate: 'usage_update', used: 1 });
  assert.deepEqual(redacted([chunk(`a ${key.slice(0, 9)}`), usage, chunk(`${key.slice(9)} b`)]).lines,
    [chunk('a [redacted]'), usage, chunk(' b')]);
  assert.equal(redacted([chunk(key.slice(0, 9), '1'), chunk(key.slice(9), '2')]).count, 0);
  assert.equal(redacted([chunk(key.slice(0, 9)), entry('prompt', {}), chunk(key.slice(9))]).count, 0);
});

test('linesWithoutSecretsKeepTheirText', () => {
  const lines = ['{"seq":9007199254740993,"kind":"update", "a":"\\u0041"}', chunk('a'), '{"kind":"turn_end","data":{"stopReason":"x"}}'];
  assert.deepEqual(redacted(lines), { lines, count: 0 });
});

test('eachValueIsSearchedAndTheOutputOfATerminalIsDecoded', () => {
  const { lines } = redacted([JSON.stringify({ kind: key, a: [{ [key]: key }], data: btoa(`token ${key}\n`), n: 1 })]);
  const value = JSON.parse(lines[0]);
  assert.deepEqual([value.kind, value.a, atob(value.data), value.n],
    ['[redacted]', [{ '[redacted]': '[redacted]' }], 'token [redacted]\n', 1]);
});

test('aSessionIsMarkdownThatQuotesEverythingButTheAgent', () => {
  const document = new MarkdownDocument((before, after) => [{ value: before, removed: true }, { value: after, added: true }]);
  const lines = [
    entry('prompt', { prompt: [{ type: 'text', text: 'Fix it\n# now' }] }), chunk('A thought', 't', 'agent_thought_chunk'),
    chunk('I **fix** '), chunk('it.'),
    update({
      sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit ```a', status: 'completed',
      content: [{ type: 'diff', path: 'a.txt', oldText: 'one\n', newText: 'two\n' }]
    }),
    update({ sessionUpdate: 'notice', severity: 'warning', title: 'Slow' }),
    entry('turn_end', { stopReason: 'end_turn' }), entry('prompt', { prompt: [{ type: 'text', text: 'Thanks' }] }),
  ];
  const text = document.begin('A <b> *title*', ['rich', 's']) + lines.map((line) => document.add(line)).join('') + document.finish();
  assert.equal(text, `# A \\<b\\> \\*title\\*

rich, s

## User, 2026-01-31T10:30:00Z

> Fix it
> # now

*Thought:*

> A thought

## Agent, 2026-01-31T10:30:00Z

I **fix** it.

\`\`\`\`text
✓ Edit \`\`\`a
--- a.txt
-one
+two
\`\`\`\`

\`\`\`text
Warning: Slow
\`\`\`

\`\`\`text
— end_turn
\`\`\`

## User, 2026-01-31T10:30:00Z

> Thanks
`);
});

test('aLongMessageHasOneHeading', () => {
  const document = new MarkdownDocument(() => []);
  for (let part = 0; part < 50; part += 1) document.add(chunk('x'.repeat(1000)));
  const text = document.finish();
  assert.equal(text.split('## Agent').length, 2);
  assert.equal(text.split('x').length - 1, 50_000);
});
