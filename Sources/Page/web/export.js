// Exports of a session that the page makes from the bridge's NDJSON: without tokens, and as Markdown. Pure.

import { diffRows, patchRows } from './changes.js';
import { Timeline } from './timeline.js';

const ALNUM = 'A-Za-z0-9';
/**
 * Tokens of known forms, as `acpbridge export` hides them: `SecretPattern.swift` names their services. `Tests/Page/secrets.json` has
 * examples for both. The groups are what comes before a secret.
 */
const SECRETS = new RegExp([
  `(^|[^${ALNUM}])(?:${[
    'acpbridge_[0-9a-f]{64,}', 'tk_[0-9a-f_]{73,}', 'whsec_[\\w.~+/=-]{32,}', 'sk-[\\w-]{20,}',
    `gh[pousr]_[${ALNUM}]{36,}`, 'github_pat_[\\w-]{22,}', 'glpat-[\\w-]{20,}', 'A[KS]IA[A-Z0-9]{16,}',
    '(?:xox[abprs]|xapp)-[\\w-]{10,}', 'AIza[\\w-]{35,}', 'ya29\\.[\\w-]{20,}', `npm_[${ALNUM}]{36,}`, 'pypi-[\\w-]{50,}',
    `hf_[${ALNUM}]{30,}`, `[sr]k_live_[${ALNUM}]{16,}`, 'eyJ[\\w.-]{40,}', '[Bb]earer [\\w.~+/=-]{20,}',
  ].join('|')})`,
  '-----BEGIN [^]{0,42}?PRIVATE KEY[^]*?(?:-----END [^]*?(?:-----|$)|$)',
  '(://[^\\0- /"\':]{0,1000}:)[^\\0- /"\']{1,1000}(?=@)',
].join('|'), 'g');
const MARK = '[redacted]';
/** Without the words of these members, no program could read the export. */
const WORDS = new Set(['jsonrpc', 'kind', 'method', 'sessionUpdate', 'ts', 'type']);
/** Chunks wait until there is this much new text, or of new lines. The lines before the last `KEPT` of text are done then. */
const TEXT_LIMIT = 1 << 20;
const LINE_LIMIT = 1 << 24;
const KEPT = 1 << 14;
/** The text before and after the beginning of a secret that is remembered of lines that are done. */
const MEMORY = 1 << 11;
const STREAM_LIMIT = 1000;

/** @param {string} text @returns {[number, number][]} The places of the secrets. */
const secretsIn = (text) => [...text.matchAll(SECRETS)].map((match) => {
  const at = match.index ?? 0;
  return [at + (match[1] ?? match[2] ?? '').length, at + match[0].length];
});

/**
 * The part of a longer text without its secrets. A mark is in the part in which the secret begins.
 * @param {string} part @param {number} start Its place in the text. @param {[number, number][]} secrets
 */
function hiding(part, start, secrets) {
  let result = '';
  let at = 0;
  for (const [from, to] of secrets) {
    if (to <= start) continue;
    if (from >= start + part.length) break;
    result += part.slice(at, Math.max(at, from - start)) + (from >= start ? MARK : '');
    at = Math.min(part.length, to - start);
  }
  return result + part.slice(at);
}

/**
 * The chunk of a text that other updates continue. `StreamText.swift` joins the same ones.
 * @param {any} params @returns {{ stream: string, owner: any, name: string, text: string, isOutput: boolean } | null}
 */
function chunkIn({ sessionId, update } = /** @type {any} */({})) {
  const kind = String(update?.sessionUpdate);
  const isOutput = kind === 'terminal_output_chunk';
  const owner = isOutput ? update : kind === 'tool_call_content_chunk' ? update.content?.content
    : /message_chunk$|^(agent_thought|compaction_summary)_chunk$/.test(kind) ? update.content : null;
  const name = isOutput ? 'data' : 'text';
  if (typeof owner?.[name] !== 'string') return null;
  const id = update.terminalId ?? update.toolCallId ?? update.messageId ?? update.compactionId;
  try {
    return { stream: JSON.stringify([kind, sessionId, id]), owner, name, isOutput, text: isOutput ? atob(owner.data) : owner.text };
  } catch {
    return null;
  }
}

/** The joined chunks of one stream. */
class StreamText {
  #start;
  #released;
  /**
   * The places before which other lines were.
   * @type {number[]}
   */
  #breaks = [];
  #last = -1;
  /** @type {[number, number][]} */
  #secrets = [];
  /** @type {string[]} */
  #parts;
  #text = '';
  #length;
  /** The place of the next chunk, and the first secret that does not end before it. */
  #next;
  #first = 0;

  /** @param {string} earlier `end` of the lines before. */
  constructor(earlier) {
    this.#parts = [earlier];
    this.#start = this.#released = this.#length = this.#next = earlier.length;
  }

  /** @param {string} text @param {number} line @param {boolean} isReleased */
  add(text, line, isReleased) {
    if (line !== this.#last + 1 || this.#breaks.length === 0) this.#breaks.push(this.#length);
    this.#last = line;
    this.#parts.push(text);
    this.#length += text.length;
    if (isReleased) this.#released = this.#length;
  }

  /** A secret can also begin where the text before it seems to continue, so each stretch without other lines is searched, too. */
  search() {
    this.#text = this.#parts.join('');
    const found = secretsIn(this.#text);
    this.#breaks.forEach((from, index) => {
      const to = this.#breaks[index + 1] ?? this.#length;
      if (from === 0 && to === this.#length) return;
      for (const secret of secretsIn(this.#text.slice(from, to))) found.push([secret[0] + from, secret[1] + from]);
    });
    for (const [from, to] of found.sort((left, right) => left[0] - right[0])) {
      const last = this.#secrets.at(-1);
      if (last && from < last[1]) last[1] = Math.max(last[1], to);
      else this.#secrets.push([from, to]);
    }
    return this.#secrets.filter(([from]) => from >= this.#start && from < this.#released).length;
  }

  /**
   * The next chunk without its secrets.
   * @param {string} text
   */
  part(text) {
    while (this.#first < this.#secrets.length && this.#secrets[this.#first][1] <= this.#next) this.#first += 1;
    const result = [];
    for (let at = this.#first; at < this.#secrets.length && this.#secrets[at][0] < this.#next + text.length; at += 1) {
      result.push(this.#secrets[at]);
    }
    this.#next += text.length;
    return hiding(text, this.#next - text.length, result);
  }

  /** The text with which the chunks after these are searched: of a secret that is not complete, its beginning. */
  get end() {
    const open = this.#secrets.find(([from, to]) => to >= this.#released && from < this.#released)?.[0] ?? this.#released;
    return this.#text.slice(Math.max(0, open - MEMORY), Math.min(open + MEMORY, this.#released));
  }
}

/** Hides secrets in the lines of an NDJSON export. Lines without secrets keep their text. */
export class Redactor {
  /** The secrets that were hidden so far. */
  count = 0;
  /**
   * The lines from the first chunk on: a secret can begin in one chunk and end in the next.
   * @type {{ line: string, value: any, chunk: ReturnType<typeof chunkIn> }[]}
   */
  #waiting = [];
  /** The lengths that are new. */
  #lines = 0;
  #texts = 0;
  /**
   * The ends of the texts whose lines are done, by stream.
   * @type {Map<string, string>}
   */
  #earlier = new Map();

  /** @param {string} text */
  hidden(text) {
    const secrets = secretsIn(text);
    this.count += secrets.length;
    return hiding(text, 0, secrets);
  }

  /** @param {string} line @returns {string[]} The lines that are complete. */
  add(line) {
    const value = JSON.parse(line);
    if (!value.notification) return [...this.finish(), this.#hide(line, value)];
    const chunk = chunkIn(value.notification.params);
    if (!chunk && this.#waiting.length === 0) return [this.#hide(line, value)];
    this.#waiting.push({ line, value, chunk });
    this.#lines += line.length;
    this.#texts += chunk?.text.length ?? 0;
    return this.#texts > TEXT_LIMIT || this.#lines > LINE_LIMIT ? this.#release(this.#waiting.length - this.#kept()) : [];
  }

  /** @returns {string[]} The lines that waited. */
  finish() {
    const lines = this.#release(this.#waiting.length);
    this.#earlier.clear();
    return lines;
  }

  /** The number of last lines that continue to wait. */
  #kept() {
    let [lines, texts, count] = [0, 0, 0];
    for (let at = this.#waiting.length - 1; at >= 0; at -= 1) {
      const { line, chunk } = this.#waiting[at];
      lines += line.length;
      if (texts >= KEPT || lines > LINE_LIMIT) break;
      texts += chunk?.text.length ?? 0;
      count += 1;
    }
    return count;
  }

  /** @param {number} count Of the first lines. */
  #release(count) {
    [this.#lines, this.#texts] = [0, 0];
    /** @type {Map<string, StreamText>} */
    const texts = new Map();
    this.#waiting.forEach(({ chunk }, index) => {
      if (!chunk) return;
      const text = texts.get(chunk.stream) ?? new StreamText(this.#earlier.get(chunk.stream) ?? '');
      texts.set(chunk.stream, text);
      text.add(chunk.text, index, index < count);
    });
    for (const text of texts.values()) this.count += text.search();
    const done = this.#waiting.splice(0, count).map(({ line, value, chunk }) => {
      if (!chunk) return this.#hide(line, value);
      const text = /** @type {StreamText} */(texts.get(chunk.stream)).part(chunk.text);
      const { owner, name } = chunk;
      const whole = owner[name];
      // The text was searched as a part of the whole.
      owner[name] = '';
      const before = this.count;
      const rest = this.#value(value, '');
      if (text === chunk.text && this.count === before) return line;
      const params = rest.notification.params;
      /** @type {any} */(chunkIn(params)).owner[name] = text === chunk.text ? whole : chunk.isOutput ? btoa(text) : text;
      return JSON.stringify(rest);
    });
    if (this.#earlier.size + texts.size > STREAM_LIMIT) this.#earlier.clear();
    for (const [stream, text] of [...texts].slice(0, STREAM_LIMIT)) this.#earlier.set(stream, text.end);
    return done;
  }

  /** @param {string} line @param {any} value */
  #hide(line, value) {
    const before = this.count;
    const hidden = this.#value(value, '');
    return this.count === before ? line : JSON.stringify(hidden);
  }

  /** @param {any} value @param {string} name Of the member with this value. @returns {any} */
  #value(value, name) {
    if (typeof value === 'string') return this.#text(value, name);
    if (Array.isArray(value)) return value.map((item) => this.#value(item, ''));
    if (!value || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.hidden(key), this.#value(item, key)]));
  }

  /** @param {string} text @param {string} name */
  #text(text, name) {
    if (WORDS.has(name) && /^[a-z0-9_/.:TZ-]*$/.test(text)) return text;
    const before = this.count;
    const hidden = this.hidden(text);
    if (name !== 'data' || this.count > before) return hidden;
    // The output of a terminal.
    try {
      const output = this.hidden(atob(text));
      return this.count > before ? btoa(output) : text;
    } catch {
      return text;
    }
  }
}

/**
 * A carriage return ends a line, too. Source: CommonMark 0.31, section 2.1.
 * @param {string} text
 */
const quoted = (text) => text.split(/\r\n?|\n/).map((line) => `> ${line}`.trimEnd()).join('\n');

/**
 * A fence longer than each run of backquotes in the text. Source: CommonMark 0.31, section 4.5.
 * @param {string} text
 */
function fenced(text) {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `\n${fence}text\n${text.replace(/\n$/, '')}\n${fence}\n`;
}

/**
 * One line in which no character has a meaning in Markdown.
 * @param {string} text
 */
const escaped = (text) => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>()#+.!|~&-]/g, '\\$&');

/** A session as Markdown. Messages of agents are Markdown and keep their text; everything else is quoted or fenced. */
export class MarkdownDocument {
  #timeline = new Timeline();
  #number = 0;
  #compare;

  /** @param {(before: string, after: string) => { value: string, added?: boolean, removed?: boolean }[]} compare Compares by lines. */
  constructor(compare) { this.#compare = compare; }

  /** @param {string} title @param {string[]} facts */
  begin(title, facts) { return `# ${escaped(title)}\n\n${escaped(facts.join(', '))}\n`; }

  /** @param {string} line Of an NDJSON export. @returns {string} What is complete. */
  add(line) {
    const entry = JSON.parse(line);
    // A turn is complete, and the next one needs no memory of it.
    const done = entry.kind === 'prompt' ? this.finish() : '';
    this.#number += 1;
    if (entry.kind === 'skipped') this.#timeline.skip(entry.fromSeq, entry.toSeq, entry.reason);
    else this.#timeline.append(this.#number, { ...entry, ts: Date.parse(entry.ts) });
    return done;
  }

  finish() {
    const { rows } = this.#timeline;
    this.#timeline = new Timeline();
    return rows.map((row, at) => this.#row(row, rows[at - 1])).join('');
  }

  /** @param {import('./timeline.js').Row} row @param {import('./timeline.js').Row | undefined} before */
  #row(row, before) {
    const { kind, text = '', data, ask, gap } = row;
    const time = Number.isFinite(row.ts) ? `, ${new Date(row.ts).toISOString().slice(0, 19)}Z` : '';
    // A long message has several rows.
    if (kind === 'message') return before?.kind === kind && before.messageId === row.messageId ? text : `\n## Agent${time}\n\n${text}\n`;
    if (kind === 'prompt') return `\n## User${time}\n\n${quoted(text)}\n`;
    if (kind === 'thought') return `\n*Thought:*\n\n${quoted(text)}\n`;
    if (kind === 'between') return `\n*Message between agents:*\n\n${quoted(text)}\n`;
    if (kind === 'tool') return this.#call(/** @type {import('./timeline.js').Tool} */(row.tool));
    if (kind === 'turn') return fenced(`— ${data.error ? `error: ${data.error.message}` : data.stopReason ?? 'turn ended'}`);
    if (gap) return fenced(`Updates ${gap.from}–${gap.to} are not stored`);
    if (ask) {
      const { title, message, toolCall } = ask.params ?? {};
      return fenced(`? ${title ?? message ?? toolCall?.title ?? ''}\n  ${ask.outcome ?? 'no answer'}`);
    }
    return fenced(data?.sessionId ? `Subagent: ${text}` : [text, data?.body].filter(Boolean).join('\n\n'));
  }

  /** @param {import('./timeline.js').Tool} call */
  #call({ title, kind, status, content, cut }) {
    const mark = status === 'completed' ? '✓' : status === 'failed' || status === 'cancelled' ? '✗' : '…';
    const parts = content.map((item) => (item?.type === 'diff' ? this.#diff(item)
      : item?.type === 'session' ? `Subagent ${item.sessionId}` : item?.terminal?.text ?? item?.content?.text ?? ''));
    if (cut) parts.push(`[${cut.size} bytes in all]`);
    return fenced([`${mark} ${title || kind}`, ...parts.filter(Boolean)].join('\n'));
  }

  /** @param {import('./changes.js').FileDiff} diff */
  #diff({ path, patch, isCut, oldText, newText }) {
    if (isCut) return `--- ${path}\n[too large]`;
    const rows = patch === undefined ? diffRows(this.#compare(String(oldText ?? ''), String(newText ?? ''))) : patchRows(patch);
    const marks = { added: '+', removed: '-', same: ' ', hidden: '' };
    return [`--- ${path}`, ...rows.map((row) => (row.kind === 'hidden' ? '…' : marks[row.kind] + row.text))].join('\n');
  }
}
