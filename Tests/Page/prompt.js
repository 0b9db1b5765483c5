// Starts an agent by /acp, prints its session's id, sends prompts one after another, and stays until it is ended.
//
//     TOKEN=… node prompt.js ws://HOST:PORT/acp?agent=NAME PROMPT…
//
// With SESSIONS=N, it opens N sessions first, and prints the last one's id. With EXIT=1, it ends after the last prompt.
import { WebSocket } from './fake-bridge.js';

const [url, ...prompts] = process.argv.slice(2);
const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${process.env.TOKEN}` } });
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
socket.onclose = () => process.exit();
socket.onopen = async () => {
  await ask('initialize', { protocolVersion: 1, clientCapabilities: { elicitation: { form: {}, url: {} } } });
  const begin = () => ask('session/new', { cwd: process.cwd(), mcpServers: [] });
  for (let rest = Number(process.env.SESSIONS ?? 1); rest > 1; rest--) await begin();
  const { result } = /** @type {any} */ (await begin());
  console.log(result.sessionId);
  for (const text of prompts) await ask('session/prompt', { sessionId: result.sessionId, prompt: [{ type: 'text', text }] });
  if (process.env.EXIT) process.exit();
};
