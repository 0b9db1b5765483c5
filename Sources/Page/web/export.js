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
    'sk-[\\w-]{20,}', `gh[pousr]_[${ALNUM}]{36,}`, 'github_pat_[\\w-]{22,}', 'glpat-[\\w-]{20,}', 'A[KS]IA[A-Z0-9]{16,}',
    '(?:xox[abprs]|xapp)-[\\w-]{10,}', 'AIza[\\w-]{35,}', 'ya29\\.[\\w-]{20,}', `npm_[${ALNUM}]{36,}`, 'pypi-[\\w-]{50,}',
    `hf_[${ALNUM}]{30,}`, `[sr]k_live_[${ALNUM}]{16,}`, 'eyJ[\\w.-]{40,}', '[Bb]earer [\\w.~+/=-]{20,}',
  ].join('|')})`,
  '-----BEGIN [^]{0,42}?PRIVATE KEY[^]*?(?:-----END [^]*?(?:-----|$)|$)',
  '(://[^\\0- /"\':]{0,1000}:)[^\\0- /"\']{1,1000}(?=@)',
].join('|'), 'g');
const MARK = '[redacted]';
/** Without the words of these members, no program could read the export. */
const WORDS = new Set(['jsonrpc', 'kind', 'method', 'sessionUpdate', 'ts', 'type']);
/** A message waits until it ends or its lines have this length. No token is that long. */
const WAITING_LIMIT = 1 << 20;

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
    if (to <= start || from >= start + part.length) continue;
    result += part.slice(at, Math.max(at, from - start)) + (from >= start ? MARK : '');
    at = Math.min(part.length, to - start);
  }
  return result + part.slice(at);
}

/** Hides secrets in the lines of an NDJSON export. Lines without secrets keep their text. */
export class Redactor {
  /** The secrets that were hidden so far. */
  count = 0;
  /**
   * The lines from the first chunk of a message on: a secret can begin in one chunk and end in the next.
   * @type {{ line: string, value: any, chunk: any }[]}
   */
  #waiting = [];
  #key = '';
  #size = 0;

  /** @param {string} text */
  hidden(text) {
    const secrets = secretsIn(text);
    this.count += secrets.length;
    return hiding(text, 0, secrets);
  }

  /** @param {string} line @returns {string[]} The lines that are complete. */
  add(line) {
    const value = JSON.parse(line);
    const { sessionId, update } = value.notification?.params ?? {};
    const kind = String(update?.sessionUpdate);
    const isChunk = /message_chunk$|^(agent_thought|compaction_summary)_chunk$/.test(kind) && typeof update.content?.text === 'string';
    const key = isChunk ? JSON.stringify([kind, sessionId, update.messageId ?? update.compactionId]) : '';
    const continues = value.notification && (!isChunk || key === this.#key) && this.#size <= WAITING_LIMIT;
    const done = continues ? [] : this.finish();
    if (!isChunk && this.#waiting.length === 0) return [...done, this.#hide(line, value)];
    if (isChunk) this.#key = key;
    this.#waiting.push({ line, value, chunk: isChunk ? update.content : null });
    this.#size += line.length;
    return done;
  }

  /** @returns {string[]} The lines that waited. */
  finish() {
    const waiting = this.#waiting;
    [this.#waiting, this.#key, this.#size] = [[], '', 0];
    const secrets = secretsIn(waiting.map(({ chunk }) => chunk?.text ?? '').join(''));
    this.count += secrets.length;
    let start = 0;
    return waiting.map(({ line, value, chunk }) => {
      if (!chunk) return this.#hide(line, value);
      const text = hiding(chunk.text, start, secrets);
      start += chunk.text.length;
      const isChanged = text !== chunk.text;
      // The text was searched as a part of the whole.
      chunk.text = '';
      const before = this.count;
      const rest = this.#value(value, '');
      if (!isChanged && this.count === before) return line;
      rest.notification.params.update.content.text = text;
      return JSON.stringify(rest);
    });
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
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#value(item, key)]));
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

/** @param {string} text */
const quoted = (text) => text.split('\n').map((line) => `> ${line}`.trimEnd()).join('\n');

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
