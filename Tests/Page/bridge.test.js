// Follows a real bridge through a proxy that breaks connections. Needs BRIDGE_PROGRAM: the path of acpbridge.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { TinyvexClient } from '../../Sources/Page/web/tinyvex.js';
import { WebSocket } from './fake-bridge.js';
import { randomNumbers, seed } from './random.js';

const program = /** @type {string} */ (process.env.BRIDGE_PROGRAM);
const breaks = 200;

/** Starts a bridge with folders of its own. */
async function startBridge() {
  const home = mkdtempSync(join(tmpdir(), 'page-'));
  for (const name of ['run', 'state', 'config']) mkdirSync(join(home, name), { mode: 0o700 });
  const environment = {
    ...process.env, HOME: home, ACPBRIDGE_HOME: '', XDG_RUNTIME_DIR: join(home, 'run'), XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'), PATH: `${dirname(program)}:${process.env.PATH}`, ACP_DEMO_PACE_MS: '1',
  };
  delete /** @type {any} */ (environment).ACPBRIDGE_HOME;
  const bridge = spawn(program, ['serve', '--listen', '127.0.0.1:0'], {
    env: environment, cwd: home,
    stdio: ['ignore', 'pipe', 'inherit']
  });
  const line = await new Promise((done) => bridge.stdout.once('data', (data) => done(String(data))));
  const port = Number(new URL(JSON.parse(line).url).port);
  const token = readFileSync(join(home, 'config/acpbridge/token'), 'utf8').trim();
  return { home, bridge, port, token };
}

/** Passes bytes to the bridge, and breaks a connection after a random number of bytes. @param {number} port @param {() => number} random */
async function startProxy(port, random) {
  const counts = { broken: 0 };
  const proxy = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let left = 900 + Math.floor(random() * 2500);
    client.pipe(upstream);
    upstream.on('data', (data) => {
      left -= data.length;
      if (left > 0 || counts.broken >= breaks) return client.write(data);
      counts.broken += 1;
      // Half a message is sent, as when a network is lost.
      client.write(data.subarray(0, Math.floor(data.length / 2)));
      client.destroy();
      return upstream.destroy();
    });
    for (const end of [client, upstream]) {
      end.on('error', () => { });
      end.on('close', () => { client.destroy(); upstream.destroy(); });
    }
  });
  await new Promise((done) => proxy.listen(0, '127.0.0.1', () => done(null)));
  return { proxy, counts, port: /** @type {any} */ (proxy.address()).port };
}

/** Starts an agent by /acp and prompts it. @param {{ port: number, token: string, home: string }} bridge @param {string} text */
async function startAgent({ port, token, home }, text) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp?agent=demo`, { headers: { Authorization: `Bearer ${token}` } });
  /** @type {Map<number, (message: any) => void>} */ const open = new Map();
  let nextId = 1;
  const ask = (/** @type {string} */ method, /** @type {any} */ params) => new Promise((done) => {
    open.set(nextId, done);
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params }));
  });
  socket.onmessage = (/** @type {any} */ event) => {
    const message = JSON.parse(event.data);
    if (!message.method) open.get(message.id)?.(message);
  };
  await new Promise((done) => { socket.onopen = done; });
  await ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const session = /** @type {any} */ (await ask('session/new', { cwd: home, mcpServers: [] }));
  const turn = ask('session/prompt', { sessionId: session.result.sessionId, prompt: [{ type: 'text', text }] });
  return { sessionId: session.result.sessionId, turn, socket };
}

test(`aRealBridgesTimelineIsAppliedExactlyOnceOver200BrokenConnections (SEED=${seed})`, { timeout: 120_000 }, async () => {
  const random = randomNumbers();
  const bridge = await startBridge();
  const { proxy, counts, port } = await startProxy(bridge.port, random);
  const agent = await startAgent(bridge, 'quiet 1500 chunks');
  /** @type {Map<number, any>} */ const applied = new Map();
  let faults = 0;
  const address = () => ({ url: `ws://127.0.0.1:${port}/tinyvex`, protocols: ['tinyvex.v1', `bearer.${bridge.token}`] });
  const client = new TinyvexClient({ address, WebSocket, retryLimitMs: 5 });
  try {
    client.timeline({ sessionId: agent.sessionId }, {
      from: 0,
      onEntry: (seq, value) => { if (applied.has(seq) || seq !== applied.size + 1) faults += 1; applied.set(seq, value); },
      onReset: () => { faults += 1; },
    });
    await agent.turn;
    const isDone = () => counts.broken >= breaks && [...applied.values()].some(({ kind }) => kind === 'turn_end');
    while (!isDone()) {
      // After the turn, the rest of the breaks comes from reading the whole again.
      if (counts.broken < breaks) await client.query('sessions:list', {});
      await new Promise((done) => setTimeout(done, 1));
    }
    /** @type {Map<number, any>} */ const stored = new Map();
    const direct = new TinyvexClient({
      address: () => ({ url: `ws://127.0.0.1:${bridge.port}/tinyvex`, protocols: ['tinyvex.v1', `bearer.${bridge.token}`] }), WebSocket,
    });
    await new Promise((done) => direct.timeline({ sessionId: agent.sessionId }, {
      from: 0, onEntry: (seq, value) => { stored.set(seq, value); if (value.kind === 'turn_end') done(null); },
    }));
    direct.close();
    assert.equal(faults, 0);
    assert.ok(stored.size > 1500);
    assert.deepEqual([...applied], [...stored]);
  } finally {
    client.close();
    agent.socket.close();
    proxy.close();
    bridge.bridge.kill('SIGTERM');
    await new Promise((done) => bridge.bridge.once('exit', done));
    rmSync(bridge.home, { recursive: true, force: true, maxRetries: 5 });
  }
});
