import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { TinyvexClient, newRequestId } from '../../Sources/Page/web/tinyvex.js';
import { FakeBridge, WebSocket } from './fake-bridge.js';
import { randomNumbers, seed } from './random.js';

/** @type {FakeBridge} */ let bridge;
/** @type {string} */ let url;
/** @type {TinyvexClient[]} */ let clients;

beforeEach(async () => {
  bridge = new FakeBridge();
  url = await bridge.start();
  clients = [];
});

afterEach(() => {
  for (const client of clients) client.close();
  bridge.stop();
});

/** @param {any} [options] */
function connect(options = {}) {
  const client = new TinyvexClient({ address: () => ({ url }), WebSocket, retryLimitMs: 5, ...options });
  clients.push(client);
  return client;
}

/**
 * Waits until a condition holds. The test's own time limit ends it.
 * @param {() => boolean} condition
 */
async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/**
 * Follows the timeline as a program does that keeps what it applied.
 * @param {TinyvexClient} client
 */
function reader(client, more = {}) {
  const applied = /** @type {Map<number, any>} */ (new Map());
  const skipped = /** @type {Set<number>} */ (new Set());
  let faults = 0;
  const stream = client.timeline({ sessionId: 's1' }, {
    from: 0,
    onEntry: (seq, value) => { if (applied.has(seq) || skipped.has(seq)) faults += 1; applied.set(seq, value); },
    onSkipped: (from, to) => {
      for (let seq = from; seq <= to; seq += 1) { if (applied.has(seq)) faults += 1; skipped.add(seq); }
    },
    onReset: (start) => {
      for (const seq of [...applied.keys()]) if (seq >= start) applied.delete(seq);
      for (const seq of [...skipped]) if (seq >= start) skipped.delete(seq);
    },
    ...more,
  });
  return { applied, skipped, stream, faults: () => faults };
}

const limit = { timeout: 40_000 };

test(`everyEntryIsAppliedExactlyOnceOver200BrokenConnections (SEED=${seed})`, limit, async () => {
  const random = randomNumbers();
  let broken = 0;
  bridge.breaks = () => {
    if (broken >= 200 || random() > 0.05) return false;
    broken += 1;
    return true;
  };
  const client = connect();
  const { applied, faults } = reader(client);
  let written = 0;
  while (broken < 200) {
    bridge.append(...Array.from({ length: Math.floor(random() * 30) }, () => ({ n: ++written })));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await until(() => applied.size === bridge.log.length);
  assert.equal(faults(), 0);
  assert.ok(bridge.connections > 200);
  assert.deepEqual([...applied.values()], bridge.log);
});

test(`skippedNumbersAreNamedOnceAndNeverApplied (SEED=${seed})`, limit, async () => {
  const random = randomNumbers(seed + 1);
  let broken = 0;
  bridge.breaks = () => broken < 50 && random() < 0.05 && ++broken > 0;
  bridge.skips = () => (random() < 0.2 ? Math.floor(random() * 9) : 0);
  const { applied, skipped, faults } = reader(connect());
  for (let n = 1; n <= 3000; n += 10) {
    bridge.append(...Array.from({ length: 10 }, (_, index) => ({ n: n + index })));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => applied.size + skipped.size === 3000);
  assert.equal(faults(), 0);
  for (const [seq, value] of applied) assert.equal(value.n, seq);
});

test(`mutationsRunOnceOverBrokenConnections (SEED=${seed})`, limit, async () => {
  const random = randomNumbers(seed + 2);
  let broken = 0;
  bridge.breaks = () => broken < 100 && random() < 0.3 && ++broken > 0;
  const client = connect();
  const values = await Promise.all(Array.from({ length: 200 }, (_, n) => client.mutate('sessions:setTitle', { n })));
  assert.equal(bridge.outcomes.size, 200);
  assert.equal(new Set(values).size, 200);
});

test('numbersThatAPowerCutRemovedAreDroppedAndReplaced', limit, async () => {
  bridge.append({ n: 'a' }, { n: 'b' }, { n: 'c' });
  const { applied } = reader(connect());
  await until(() => applied.size === 3);
  bridge.losePower(1, 'life-2');
  bridge.append({ n: 'B' }, { n: 'C' });
  await until(() => applied.size === 3 && applied.get(3).n === 'C');
  assert.deepEqual([...applied.values()].map(({ n }) => n), ['a', 'B', 'C']);
});

test('aStreamWithoutAPositionBeginsNowAndThenContinuesThere', limit, async () => {
  bridge.append({ n: 1 }, { n: 2 });
  let opened = 0;
  const { applied } = reader(connect(), { from: undefined, onOpen: () => { opened += 1; } });
  await until(() => opened === 1);
  bridge.append({ n: 3 });
  await until(() => applied.size === 1);
  bridge.cut();
  bridge.append({ n: 4 });
  await until(() => applied.size === 2);
  assert.deepEqual([...applied.keys()], [3, 4]);
});

test('anEntryThatTheHandlerRefusesIsNotCountedAsApplied', limit, async () => {
  bridge.append({ n: 1 }, { n: 2 });
  /** @type {any} */ let failure;
  const quiet = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.once('uncaughtException', () => { });
  const { stream } = reader(connect(), {
    onEntry: (/** @type {number} */ seq) => { if (seq === 2) throw new Error('no room'); },
    onError: (/** @type {any} */ error) => { failure = error; },
  });
  await until(() => failure !== undefined);
  quiet.forEach((listener) => process.on('uncaughtException', listener));
  assert.equal(failure.isFinal, true);
  assert.equal(stream.position?.seq, 1);
});

test('aValueInPiecesIsJoined', limit, async () => {
  const value = await connect().query('large');
  assert.equal(value.text.length, 1000);
});

test('aQueryThatTheBridgeRefusesFailsWithItsCode', limit, async () => {
  await assert.rejects(connect().query('nothing'), { code: 'TVX002' });
});

test('anActionFailsWithLostAndIsNotRepeated', limit, async () => {
  const client = connect();
  await until(() => client.state.role === 'control');
  bridge.breaks = () => true;
  await assert.rejects(client.action('sessions:cancel', {}), { code: 'lost' });
});

test('anActionWithoutAConnectionFailsWithOffline', limit, async () => {
  const client = connect({ address: () => { throw new Error('no network'); } });
  await assert.rejects(client.action('sessions:cancel', {}), { code: 'offline' });
});

test('aSilentConnectionIsGivenUpAndOpenedAgain', limit, async () => {
  const client = connect({ silenceMs: 20, answerMs: 20 });
  await until(() => client.state.role === 'control');
  bridge.isSilent = true;
  await until(() => client.state.phase === 'waiting' || bridge.connections > 1);
  bridge.isSilent = false;
  await until(() => client.state.role === 'control' && bridge.connections > 1);
});

test('aConnectionThatIsLostBeforeItsAnswerMakesThePausesGrow', limit, async () => {
  bridge.breaks = () => true;
  const client = connect({});
  await until(() => client.state.phase === 'waiting' && client.state.attempt >= 3);
  assert.ok((client.state.retryAt ?? 0) >= client.state.since);
  bridge.breaks = () => false;
  await until(() => client.state.role === 'control');
  assert.equal(client.state.attempt, 0);
});

test('connectionsThatAnswerAndEndAtOnceMakeThePausesGrow', limit, async () => {
  /** @type {number[]} */ const attempts = [];
  const client = connect({
    onState: (/** @type {any} */ { phase, attempt }) => { if (phase === 'waiting') attempts.push(attempt); },
  });
  for (let lost = 1; lost <= 3; lost += 1) {
    await until(() => client.state.phase === 'live' && client.state.role === 'control');
    assert.equal(client.state.attempt, 0);
    bridge.cut();
    await until(() => attempts.length === lost);
  }
  assert.deepEqual(attempts, [1, 2, 3]);
});

test('aConnectionThatHasLastedIsOpenedAgainAtOnce', limit, async () => {
  /** @type {number[]} */ const attempts = [];
  const client = connect({
    steadyMs: 0, onState: (/** @type {any} */ { phase, attempt }) => { if (phase === 'waiting') attempts.push(attempt); },
  });
  for (let lost = 1; lost <= 2; lost += 1) {
    await until(() => client.state.phase === 'live' && client.state.role === 'control');
    bridge.cut();
    await until(() => attempts.length === lost);
  }
  assert.deepEqual(attempts, [1, 1]);
});

test('aRefusedAddressIsNotTriedAgainUntilReconnect', limit, async () => {
  let calls = 0;
  const client = connect({
    address: () => {
      calls += 1;
      if (calls === 1) throw Object.assign(new Error('The token was revoked.'), { isFinal: true });
      return { url };
    },
  });
  await until(() => client.state.phase === 'refused');
  assert.equal(client.state.reason, 'The token was revoked.');
  assert.equal(calls, 1);
  client.reconnect();
  await until(() => client.state.phase === 'live');
});

test('afterCloseNothingIsDeliveredAndOpenRequestsFail', limit, async () => {
  bridge.append({ n: 1 });
  const client = connect();
  const { applied } = reader(client);
  await until(() => applied.size === 1);
  const mutation = client.mutate('sessions:setTitle', {});
  client.close();
  await assert.rejects(mutation, { code: 'lost' });
  bridge.append({ n: 2 });
  assert.equal(client.state.phase, 'closed');
  assert.equal(applied.size, 1);
});

test('requestIdsAreUUIDsOfVersion4', () => {
  assert.match(newRequestId(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(newRequestId(), newRequestId());
});
