// Runs of finished calls that only read, search or run something take one line, which a person opens. Pure.

import { plural } from './text.js';

/** @typedef {import('./timeline.js').Row} Row */

/** The kinds of calls that are put into groups, and what they did. */
const DONE = new Map([['read', 'read'], ['search', 'searched'], ['execute', 'ran'], ['fetch', 'fetched']]);
/** Fewer calls are shown one by one. */
const LEAST = 3;

/**
 * The groups of one timeline's rows. Calls that failed, run, wait or changed a file are never in one, and neither are calls that a
 * person has opened before. The thoughts between the calls of a group are in it.
 */
export class Groups {
  #isHeld;
  /** The id of the group in which a row was last; below zero, because rows have ids above it. @type {WeakMap<Row, number>} */
  #ids = new WeakMap();
  /** The closed groups' own rows, by the rows that they hide. @type {Map<Row, Row>} */ #hidden = new Map();
  /** @type {WeakSet<Row>} */ #members = new WeakSet();
  /** @type {Set<number>} */ #open = new Set();
  /** What each group showed last, so that its version grows only with changes. @type {Map<number, { shape: string, version: number }>} */
  #shown = new Map();
  #nextId = -1;

  /** @param {(row: Row) => boolean} isHeld Whether a person has opened or closed the row. */
  constructor(isHeld) { this.#isHeld = isHeld; }

  /**
   * The rows to draw: each group has a row of its own, which the rows of an open one follow.
   * @param {Row[]} rows
   * @returns {Row[]}
   */
  rowsOf(rows) {
    /** @type {Row[]} */ const result = [];
    /** @type {Set<number>} */ const used = new Set();
    this.#hidden = new Map();
    this.#members = new WeakSet();
    for (let at = 0; at < rows.length;) {
      const end = this.#runEnd(rows, at);
      if (end === at) { result.push(rows[at++]); continue; }
      const run = rows.slice(at, end);
      result.push(...run.filter(isCall).length < LEAST ? run : this.#group(run, used));
      at = end;
    }
    for (const id of this.#shown.keys()) if (!used.has(id)) this.#shown.delete(id);
    return result;
  }

  /** @param {Row} row Whether it belongs to a group. */
  has(row) { return this.#members.has(row); }

  /** @param {Row} row @returns {Row} The row that is drawn in its place. */
  visible(row) { return this.#hidden.get(row) ?? row; }

  /** @param {number} id */
  toggle(id) { if (!this.#open.delete(id)) this.#open.add(id); }

  /**
   * Opens the group that hides a row.
   * @param {Row} row
   */
  reveal(row) {
    const group = this.#hidden.get(row);
    if (group) this.#open.add(group.id);
  }

  /**
   * The end of the run that begins here: calls, and thoughts between them.
   * @param {Row[]} rows @param {number} start
   */
  #runEnd(rows, start) {
    let end = start;
    for (let at = start; at < rows.length; at += 1) {
      if (this.#isMember(rows[at])) end = at + 1;
      else if (end === start || rows[at].kind !== 'thought' || this.#isOut(rows[at])) break;
    }
    return end;
  }

  /** @param {Row} row A row that a person opened before it came into a group stays where it is. */
  #isOut(row) { return this.#isHeld(row) && !this.#ids.has(row); }

  /** @param {Row} row */
  #isMember(row) {
    const { tool } = row;
    return Boolean(tool && DONE.has(tool.kind) && tool.status === 'completed' && !tool.isAsked
      && !tool.content.some((item) => item?.type === 'diff')) && !this.#isOut(row);
  }

  /** @param {Row[]} run @param {Set<number>} used The ids of the groups before it. */
  #group(run, used) {
    const known = run.map((row) => this.#ids.get(row)).find((id) => id !== undefined && !used.has(id));
    const id = known ?? this.#nextId--;
    used.add(id);
    const isOpen = this.#open.has(id);
    const text = summary(run);
    const [first, last] = [run[0], run[run.length - 1]];
    const shape = `${isOpen} ${first.first} ${text}`;
    const shown = this.#shown.get(id);
    const version = !shown ? 0 : shown.shape === shape ? shown.version : shown.version + 1;
    this.#shown.set(id, { shape, version });
    /** @type {Row} */ const row = {
      id, kind: 'group', first: first.first, last: last.last, ts: first.ts, version, size: 0, text, data: { isOpen },
    };
    for (const member of run) {
      this.#ids.set(member, id);
      this.#members.add(member);
      if (!isOpen) this.#hidden.set(member, row);
    }
    return isOpen ? [row, ...run] : [row];
  }
}

/** @param {Row} row */
const isCall = (row) => row.kind === 'tool';

/**
 * `12 tool calls: 7 read, 3 searched, 2 ran`
 * @param {Row[]} run
 */
function summary(run) {
  const calls = run.filter(isCall);
  const parts = [...DONE].map(([kind, verb]) => [calls.filter(({ tool }) => tool?.kind === kind).length, verb])
    .filter(([number]) => number !== 0).map(([number, verb]) => `${number.toLocaleString('en')} ${verb}`);
  const thoughts = run.length - calls.length;
  return `${plural(calls.length, 'tool call')}: ${parts.join(', ')}${thoughts > 0 ? `; ${plural(thoughts, 'thought')}` : ''}`;
}
