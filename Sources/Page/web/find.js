// Finds text in the entries of a timeline. Pure: entries in, hits out.

import { readable } from './text.js';

/**
 * @typedef {object} Hit
 * @property {number} number The timeline's number of the entry in which the hit begins.
 * @property {number} ts Milliseconds since 1970.
 * @property {string} before The text around the hit, for a list of hits.
 * @property {string} match
 * @property {string} after
 * @property {boolean} isMarkdown Whether the text is an agent's message or thought.
 */
/** @typedef {{ key: string, text: string }} Head The beginning of a page's first run, for the page before it. */

/** Characters of a hit's surroundings. */
const AROUND = 60;
/** The longest text that is searched for, in characters. */
export const QUERY_LIMIT = 200;
/** A message is searched in parts of this length, so that a page of the timeline takes bounded memory. */
const PART = 256 * 1024;

/**
 * A text as it is compared: without differences of case, and of the form in which accents are written.
 * @param {string} text
 */
export const folded = (text) => {
  const lower = text.toLowerCase();
  // A few letters change their length; their texts are compared as they are, so that places stay right.
  return lower.length === text.length ? lower : text;
};

/**
 * Finds the hits in a page of entries, which come in their order. Chunks cut words, so the chunks of one message are searched
 * as one text.
 */
export class PageFinder {
  #needle;
  /** @type {Hit[]} */ #hits = [];
  /** @type {Head | null} */ #head = null;
  #isFirst = true;
  #key = '';
  #text = '';
  /** Hits before this place have been found. */
  #done = 0;
  /**
   * The entries in which the parts of the text begin.
   * @type {{ at: number, number: number, ts: number }[]}
   */
  #starts = [];

  /** @param {string} query Up to `QUERY_LIMIT` characters of it are searched for. */
  constructor(query) { this.#needle = folded(query.slice(0, QUERY_LIMIT)); }

  /** @param {number} number @param {any} entry */
  add(number, entry) {
    const { key, text } = textOf(entry);
    if (!text || !this.#needle) return;
    if (key === '' || key !== this.#key) this.#begin(key);
    this.#starts.push({ at: this.#text.length, number, ts: Number(entry.ts ?? 0) });
    this.#text += text;
    if (this.#isFirst && key !== '') this.#head = { key, text: ((this.#head?.text ?? '') + text).slice(0, this.#needle.length - 1) };
    if (this.#text.length > PART) this.#search(this.#needle.length - 1 + AROUND);
  }

  /**
   * The page's hits, the newest first.
   * @param {Head | null} [next] The head of the page after this one: a message can continue there.
   * @returns {{ hits: Hit[], head: Head | null }}
   */
  finish(next = null) {
    // A hit that lies in the later page alone does not fit into its head.
    if (next && next.key === this.#key && this.#text) this.#text += next.text;
    if (this.#text) this.#search(0);
    return { hits: this.#hits.reverse(), head: this.#head };
  }

  /** @param {string} key */
  #begin(key) {
    if (this.#text) { this.#search(0); this.#isFirst = false; }
    this.#key = key;
    this.#text = '';
    this.#done = 0;
    this.#starts = [];
  }

  /** @param {number} kept Characters at the end of the text that stay for the next search. */
  #search(kept) {
    const text = folded(this.#text);
    const length = this.#needle.length;
    let part = 0;
    for (let at = text.indexOf(this.#needle, this.#done); at >= 0; at = text.indexOf(this.#needle, at + length)) {
      while (part + 1 < this.#starts.length && this.#starts[part + 1].at <= at) part += 1;
      const { number, ts } = this.#starts[part];
      this.#hits.push({
        number, ts, before: this.#text.slice(Math.max(0, at - AROUND), at), match: this.#text.slice(at, at + length),
        after: this.#text.slice(at + length, at + length + AROUND), isMarkdown: /^(message|thought|between|summary):/.test(this.#key),
      });
      this.#done = at + length;
    }
    const dropped = Math.max(0, this.#text.length - kept);
    this.#done = Math.max(this.#done, text.length - length + 1) - dropped;
    this.#text = this.#text.slice(dropped);
    const begun = this.#starts.filter(({ at }) => at <= dropped).pop();
    this.#starts = [...(begun ? [{ ...begun, at: 0 }] : []), ...this.#starts.filter(({ at }) => at > dropped)
      .map((start) => ({ ...start, at: start.at - dropped }))];
  }
}

/** @type {Record<string, string>} */
const CHUNKS = {
  agent_message_chunk: 'message', agent_thought_chunk: 'thought', user_message_chunk: 'user', session_message_chunk: 'between',
  compaction_summary_chunk: 'summary',
};
/**
 * The text of an entry that its row shows. Entries with the same key are parts of one text; an empty key is a text of its own.
 * @param {any} entry
 * @returns {{ key: string, text: string }}
 */
export function textOf(entry) {
  const update = entry?.notification?.params?.update;
  if (update && typeof update === 'object') {
    const chunk = CHUNKS[update.sessionUpdate];
    if (chunk) return { key: `${chunk}:${update.messageId ?? update.compactionId ?? ''}`, text: blockText(update.content) };
    return { key: '', text: updateText(update) };
  }
  const { prompt, params, error } = entry?.data ?? {};
  if (Array.isArray(prompt)) return { key: '', text: prompt.map(blockText).filter(Boolean).join('\n') };
  if (params && typeof params === 'object') {
    return { key: '', text: [params.message, params.title, params.toolCall?.title].filter(isText).join('\n') };
  }
  return { key: '', text: isText(error?.message) ? error.message : '' };
}

/** @param {any} update */
function updateText(update) {
  const contents = [update.content, update.summary].flat()
    .flatMap((/** @type {any} */ item) => (item?.type === 'diff' ? [item.path, item.newText, item.patch?.text]
      : [blockText(item?.content ?? item)]));
  const command = update.rawInput?.command ?? update.rawInput?.cmd;
  const { title, description, error, plan } = update;
  return [title, description, error, plan?.content, plan?.uri, Array.isArray(command) ? command.join(' ') : command,
    ...(Array.isArray(update.locations) ? update.locations.map((/** @type {any} */ place) => place?.path) : []),
    ...contents].filter(isText).map(readable).join('\n');
}

/** @param {any} block */
const blockText = (block) => (block?.type === 'text' && isText(block.text) ? readable(block.text) : '');

/** @param {any} value @returns {value is string} */
const isText = (value) => typeof value === 'string' && value !== '';
