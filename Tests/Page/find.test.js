// Finding text, names of people, and usage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageFinder } from '../../Sources/Page/web/find.js';
import { authorName, nameList, otherViewers, personName } from '../../Sources/Page/web/people.js';
import { Timeline } from '../../Sources/Page/web/timeline.js';
import { Usage, costText, limitLabel, limitText, rateLimitOf } from '../../Sources/Page/web/usage.js';

const update = (/** @type {any} */ body) => ({ kind: 'update', ts: 5, notification: { params: { update: body } } });
const chunk = (/** @type {string} */ text, messageId = 'm') =>
  update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } });
const find = (/** @type {string} */ query, /** @type {any[]} */ entries, from = 1, /** @type {any} */ next = null) => {
  const finder = new PageFinder(query);
  entries.forEach((entry, index) => finder.add(from + index, entry));
  return finder.finish(next);
};
const numbers = (/** @type {{ hits: any[] }} */ found) => found.hits.map(({ number }) => number);

test('aWordThatChunksCutIsFoundWhereItBeginsTheNewestFirst', () => {
  const found = find('hello', [chunk('say hel'), chunk('lo and HE'), chunk('LLO'), chunk('hello', 'other')]);
  assert.deepEqual(numbers(found), [4, 2, 1]);
  assert.equal(found.hits[1].match, 'HELLO');
  assert.equal(found.hits[2].before, 'say ');
});

test('chunksOfDifferentMessagesAreNotOneText', () => {
  assert.deepEqual(numbers(find('hello', [chunk('hel', 'a'), chunk('lo', 'b')])), []);
});

test('aWordBetweenTwoPagesIsFoundOnce', () => {
  const later = find('hello', [chunk('lo'), chunk(' and hello')], 11);
  const earlier = find('hello', [chunk('well, hel')], 10, later.head);
  assert.deepEqual([numbers(later), numbers(earlier)], [[12], [10]]);
});

test('aLongMessageIsSearchedInPartsAndNoHitIsLostOrRepeated', () => {
  const entries = Array.from({ length: 3000 }, (_, index) => chunk(index % 100 === 50 ? 'xxneed' : index % 100 === 51 ? 'lexx'
    : 'y'.repeat(997)));
  assert.deepEqual(numbers(find('needle', entries)), Array.from({ length: 30 }, (_, index) => 2951 - 100 * index));
});

test('promptsToolCallsDiffsCommandsAndQuestionsAreSearched', () => {
  const entries = [{ kind: 'prompt', data: { prompt: [{ type: 'text', text: 'find me' }] } },
  update({ sessionUpdate: 'tool_call', title: 'Find me' }),
  update({ sessionUpdate: 'tool_call', rawInput: { command: ['grep', 'find me'] } }),
  update({ sessionUpdate: 'tool_call', content: [{ type: 'diff', path: 'a', newText: 'find me' }] }),
  update({ sessionUpdate: 'tool_call_update', content: [{ type: 'content', content: { type: 'text', text: 'find me' } }] }),
  { kind: 'elicitation_request', data: { params: { message: 'find me?' } } }, { kind: 'agent_start', data: {} }, {}, null];
  assert.deepEqual(numbers(find('find me', entries)), [6, 5, 4, 3, 2, 1]);
});

test('noTextFindsNothing', () => {
  assert.deepEqual(find('', [chunk('a')]), { hits: [], head: null });
});

test('viewersAreNamedEachNameOnceWithoutThisPage', () => {
  const viewers = [{ who: 'token tk_1', name: 'phone' }, { who: 'jwt ann', sinceTs: 7 }, { who: 'token tk_2', name: 'phone' },
  { who: 'token tk_3' }, /** @type {any} */ (null)];
  assert.deepEqual(otherViewers(viewers, 'token tk_3').map(({ name }) => name), ['phone', 'ann']);
  assert.deepEqual(otherViewers(/** @type {any} */('?'), ''), []);
  assert.equal(personName('uid 1000'), 'user 1000');
  assert.equal(personName('token x', 'a\u202eb'), 'a⟨U+202E⟩b');
  assert.equal(nameList(['a', 'b', 'c', 'd']), 'a, b and 2 others');
});

test('onesOwnPromptsAreByYouAndThoseOfOthersByTheNameOfTheirDevice', () => {
  const viewers = [{ who: 'token tk_1', name: 'phone' }, { who: 'token tk_2', name: 'laptop' }];
  const names = (/** @type {any} */ known) => ['token tk_1', 'token tk_2', 'jwt ann'].map((who) => authorName(who, 'token tk_2', known));
  assert.deepEqual(names(viewers), ['phone', 'you', 'ann']);
  assert.deepEqual(names(undefined), ['tk_1', 'you', 'ann']);
});

test('costAndRateLimitStayWhenALaterUpdateDoesNotHaveThem', () => {
  const timeline = new Timeline();
  const limit = { status: 'allowed_warning', utilization: 0.78, rateLimitType: 'five_hour', resetsAt: 1_800_000_000 };
  timeline.append(1, update({ sessionUpdate: 'usage_update', used: 5, size: 10, _meta: { '_claude/rateLimit': limit } }));
  timeline.append(2, update({ sessionUpdate: 'usage_update', used: 6, size: 10, cost: { amount: 0.5, currency: 'USD' } }));
  const usage = timeline.usage.with({ usage: { used: 7, size: 10 } });
  assert.deepEqual([usage.share, usage.cost?.amount, usage.rateLimit?.state], [0.7, 0.5, 'near']);
  assert.equal(limitText(/** @type {any} */(usage.rateLimit), 1_800_000_000_000 - 3_600_000), '5-hour limit 78 % used, resets in 60 min'
    .replace('60 min', '1 h'));
  assert.equal(limitText(/** @type {any} */(usage.rateLimit), 1_800_000_000_001), '');
  assert.equal(limitLabel(/** @type {any} */(usage.rateLimit)), 'limit 78 %');
});

test('ofSeveralRateLimitsTheFullestOneIsShown', () => {
  const usage = new Usage();
  const five = { utilization: 0.07, resetsAt: 1_800_000_000 };
  const seven = { utilization: 0.81, resetsAt: 1_800_500_000 };
  const unifiedWindows = { five_hour: five, seven_day: seven };
  const info = { status: 'allowed', rateLimitType: 'five_hour', resetsAt: 1_800_000_000, unifiedWindows };
  usage.apply({ _meta: { '_claude/rateLimit': info } });
  const shown = { state: 'near', window: '7-day limit', share: 0.81, resetsTs: 1_800_500_000_000 };
  assert.deepEqual(usage.rateLimit, shown);
  usage.apply({ _meta: { '_claude/rateLimit': { ...info, status: 'rejected' } } });
  assert.deepEqual(usage.rateLimit, { ...shown, state: 'reached', window: '5-hour limit', share: 0.07, resetsTs: 1_800_000_000_000 });
  const row = { rateLimit: { state: 'near', window: 'seven_day', used: 0.81, resetsTs: 1_800_500_000_000 } };
  assert.deepEqual(rateLimitOf(row), shown);
  assert.deepEqual(usage.with(row).rateLimit, shown);
});

test('usageOfAnyFormIsAccepted', () => {
  for (const value of [null, 5, {}, { rateLimit: 3 }, { rateLimit: { state: 'x' } }]) assert.equal(rateLimitOf(value), null);
  for (const value of [null, 5, {}, { _meta: 3 }, { _meta: { '_claude/rateLimit': 'x' } }]) {
    const usage = new Usage();
    usage.apply(value);
    assert.equal(usage.rateLimit, null);
  }
  assert.equal(new Usage().with(null).share, null);
  assert.equal(costText({ amount: 0.0042, currency: 'USD' }), '$0.0042');
  assert.equal(costText({ amount: 2, currency: 'credits' }), '2.00 credits');
});
