// Turns the entries of a session's timeline into rows to draw. Pure: entries in, rows out.

import { fileDiffs } from './changes.js';
import { exact, readable, shortened } from './text.js';
import { Usage } from './usage.js';

/**
 * @typedef {object} Row
 * @property {number} id Unique in the page, and stable.
 * @property {'message' | 'thought' | 'prompt' | 'tool' | 'permission' | 'question' | 'note' | 'turn' | 'gap'
 *   | 'group' | 'between' | 'detail'} kind `group`: the line of a run of calls, which `Groups` makes. `between`: a message between
 *   two sessions. `detail`: a note with a text that can be folded, in `data`.
 * @property {number} first The timeline's number of the row's first entry; the row's link names it.
 * @property {number} last
 * @property {number} ts Milliseconds since 1970.
 * @property {number} version Grows with each change, so that a view knows what to draw again.
 * @property {number} size Bytes that the row holds, roughly.
 * @property {string} [text]
 * @property {string} [messageId]
 * @property {any[]} [blocks] Content that is not text: images, resources.
 * @property {string} [by]
 * @property {Tool} [tool]
 * @property {Ask} [ask]
 * @property {{ from: number, to: number, reason: string }} [gap]
 * @property {any} [data]
 * @property {boolean} [isFault]
 */
/**
 * @typedef {object} Tool
 * @property {string} id
 * @property {string} title
 * @property {string} kind
 * @property {string} status
 * @property {string} [reported] The status that the agent reported last in the loaded stretch.
 * @property {any[]} locations
 * @property {any[]} content Bounded; see `cut`.
 * @property {any} rawInput
 * @property {any} rawOutput
 * @property {{ seq: number, size: number } | null} cut The entry that has the whole, and its size in bytes.
 * @property {boolean} [isAsked] Whether a request about the call is open. The request shows the call's content.
 * @property {boolean} [isRejected] Whether a person has rejected the call.
 */
/** @typedef {'message' | 'thought' | 'prompt' | 'between'} TextKind */
/**
 * A terminal of version 2, which the agent owns.
 * @typedef {object} Terminal
 * @property {string} command
 * @property {string} text The end of its output, at most `CONTENT_LIMIT` characters.
 * @property {boolean} isCut Whether the output was longer.
 * @property {{ exitCode?: number | null, signal?: string | null } | null} exit Null while it runs.
 */
/**
 * @typedef {object} Ask
 * @property {any} requestId
 * @property {any} params
 * @property {'pending' | 'answered' | 'taken' | 'withdrawn'} state
 * @property {string} [outcome] A sentence about the answer.
 * @property {string} [by]
 * @property {boolean} [isRejected]
 * @property {boolean} [hasCall] Whether the call that is asked about has a row, which shows its content after the answer.
 */

/** The most characters of one content of a tool call in a row. The whole is loaded when it is asked for. */
export const CONTENT_LIMIT = 4096;
/** The most characters of a diff in a row, unless a timeline has a limit of its own. */
export const DIFF_LIMIT = 64 * 1024;
/** A message continues in another row after this many characters, so that each row stays cheap to draw. */
const MESSAGE_LIMIT = 32 * 1024;
/** The largest image in a row, in characters of Base64. */
const IMAGE_LIMIT = 4 * 1024 * 1024;
/** The most blocks of one message, and contents of one tool call. */
const BLOCK_LIMIT = 100;
/** The most terminals. Output of others is not shown. */
const TERMINAL_LIMIT = 200;

/**
 * The decoders of terminals, whose chunks can cut a character.
 * @type {WeakMap<Terminal, TextDecoder>}
 */
const decoders = new WeakMap();

const INTERRUPTED = 'The bridge was ended while the agent ran';

let nextId = 1;

/** The rows of a stretch of a timeline. */
export class Timeline {
  /** @type {Row[]} */ rows = [];
  /** The bytes that all rows hold, roughly. */
  size = 0;
  usage = new Usage();
  /** The time of the newest entry, and of the prompt that it belongs to. */
  lastTs = 0;
  /** The time of the newest start of an agent; 0 if there is none. */
  lastStartTs = 0;
  /**
   * The note of `agentIsGone`.
   * @type {Row | null}
   */
  #gone = null;
  /** @type {Map<string, Row>} */ #tools = new Map();
  /** @type {Map<string, Row>} */ #asks = new Map();
  /** The rows of subagents, by their sessions' ids. @type {Map<string, Row>} */ #subagents = new Map();
  /** The rows of compactions, plans and unknown kinds. @type {Map<string, Row>} */ #details = new Map();
  /** @type {Map<string, Terminal>} */ #terminals = new Map();
  /** The newest row that shows each terminal. @type {Map<string, Row>} */ #terminalRows = new Map();
  /** Answered requests whose agent has not moved yet. @type {Set<Row>} */ #answered = new Set();
  #promptTs = 0;
  /**
   * The number of the oldest entry that was merged into the next one.
   * @type {number | null}
   */
  #mergedFrom = null;
  /** The number with which a row of the current entry begins. */
  #first = 0;
  #diffLimit;

  /** @param {number} [diffLimit] The most characters of a diff. */
  constructor(diffLimit = DIFF_LIMIT) { this.#diffLimit = diffLimit; }

  /**
   * Adds the entry with this number.
   * @param {number} n
   * @param {any} entry
   */
  append(n, entry) {
    this.#dropGone();
    this.#first = this.#mergedFrom ?? n;
    this.#mergedFrom = null;
    this.lastTs = entry.ts ?? this.lastTs;
    const handlers = /** @type {Record<string, (n: number, entry: any) => void>} */ ({
      update: () => this.#update(n, entry),
      prompt: () => this.#prompt(n, entry),
      turn_end: () => this.#turnEnd(n, entry),
      permission_request: () => this.#ask(n, entry, 'permission'),
      permission_answer: () => this.#answer(n, entry),
      permission_taken: () => this.#taken(entry.data?.requestId),
      elicitation_request: () => this.#ask(n, entry, 'question'),
      elicitation_answer: () => this.#answer(n, entry),
      agent_start: () => this.#agentStart(n, entry),
      agent_exit: () => this.#agentExit(n, entry),
    });
    (Object.hasOwn(handlers, entry.kind) ? handlers[entry.kind] : () => { })(n, entry);
  }

  /**
   * Adds a gap: these numbers were left out.
   * @param {number} from
   * @param {number} to
   * @param {string} reason
   */
  skip(from, to, reason) {
    this.#dropGone();
    // Under `merge`, the next entry contains the text of those that were left out: its row begins with their numbers.
    if (reason === 'merge') {
      this.#mergedFrom ??= from;
      return;
    }
    this.#add({ kind: 'gap', first: from, last: to, ts: this.lastTs, gap: { from, to, reason } });
  }

  /**
   * Drops everything from this number on.
   * @param {number} start
   */
  dropFrom(start) {
    this.#keep((row) => row.first < start);
  }

  /**
   * Drops the oldest rows until at most `size` bytes are left. Returns the number before which all was dropped.
   * @param {number} size
   */
  trim(size) {
    let count = 0;
    let left = this.size;
    while (count < this.rows.length - 1 && left > size) left -= this.rows[count++].size;
    if (count === 0) return null;
    const first = this.rows[count].first;
    const kept = new Set(this.rows.slice(count));
    this.#keep((row) => kept.has(row));
    return first;
  }

  /**
   * Puts an earlier stretch before this one, and joins what the boundary has cut apart.
   * @param {Timeline} earlier
   */
  prepend(earlier) {
    for (const [id, row] of earlier.#tools) this.#joinTool(id, row, earlier);
    // What was asked before an agent's start is void, and an agent can use an id again.
    if (this.lastStartTs > 0) earlier.#withdraw(earlier.rows.at(-1)?.last ?? 0);
    this.lastStartTs = Math.max(this.lastStartTs, earlier.lastStartTs);
    for (const [key, row] of earlier.#asks) {
      if (this.#asks.has(key)) {
        earlier.#withdraw(row.last, row);
        continue;
      }
      this.#asks.set(key, row);
      if (row.ask?.state === 'answered') this.#answered.add(row);
    }
    for (const [id, row] of earlier.#subagents) this.#joinSubagent(id, row);
    for (const [key, row] of earlier.#details) this.#joinDetail(key, row);
    for (const [id, terminal] of earlier.#terminals) this.#joinTerminal(id, terminal);
    this.rows = withoutRepeatedModes(joined([...earlier.rows, ...this.rows]));
    for (const row of this.rows) this.#showTerminals(row);
    this.#endJoined();
    this.size = this.rows.reduce((sum, row) => sum + row.size, 0);
  }

  /** @param {string} id @param {Row} row @param {Timeline} earlier */
  #joinTool(id, row, earlier) {
    const later = this.#tools.get(id);
    if (later?.tool && row.tool) {
      // The call began in the earlier stretch: its row stays there, with the later facts.
      const { title, kind, reported, locations, content, rawInput, rawOutput, cut, isAsked, isRejected } = later.tool;
      if (later.data?.hasTitle) row.tool.title = title;
      if (kind !== 'other') row.tool.kind = kind;
      // A stretch without a status of its own begins with a guess. Ends of turns are looked at afterwards.
      if (reported) Object.assign(row.tool, { status: reported, reported }); else continueCall(row.tool);
      row.last = Math.max(row.last, later.last);
      if (locations.length > 0) row.tool.locations = locations;
      if (content.length > 0) Object.assign(row.tool, { content, cut });
      row.tool.rawInput ??= rawInput;
      row.tool.rawOutput = rawOutput ?? row.tool.rawOutput;
      row.tool.isAsked = isAsked ?? row.tool.isAsked;
      row.tool.isRejected = isRejected ?? row.tool.isRejected;
      row.size += later.size;
      this.rows = this.rows.filter((other) => other !== later);
    }
    if (earlier.rows.includes(row)) this.#tools.set(id, row);
  }

  /** @param {string} id @param {Row} row */
  #joinSubagent(id, row) {
    const later = this.#subagents.get(id);
    this.#subagents.set(id, row);
    if (!later) return;
    row.text = later.text || row.text;
    this.rows = this.rows.filter((other) => other !== later);
  }

  /**
   * A compaction or an unknown kind began in the earlier stretch: its row stays there, with the later facts.
   * @param {string} key @param {Row} row
   */
  #joinDetail(key, row) {
    const later = this.#details.get(key);
    if (later && row.data.plan !== undefined) return;
    this.#details.set(key, row);
    if (!later) return;
    const { body, count, isWhole } = later.data;
    row.size += body.length;
    Object.assign(row, { text: later.text, isFault: later.isFault, version: row.version + 1 });
    Object.assign(row.data, later.data, {
      body: count || isWhole ? body : shortened(row.data.body + body, DIFF_LIMIT), isWhole: isWhole || row.data.isWhole,
      ...(count && { count: row.data.count + count }),
    });
    if (count) nameUnknown(row);
    this.rows = this.rows.filter((other) => other !== later);
  }

  /**
   * The terminal began in the earlier stretch, and its output continues in this one.
   * @param {string} id @param {Terminal} terminal
   */
  #joinTerminal(id, terminal) {
    const later = this.#terminals.get(id);
    this.#terminals.set(id, terminal);
    if (!later) return;
    appendOutput(terminal, later.text);
    Object.assign(terminal, {
      command: later.command || terminal.command, exit: later.exit ?? terminal.exit, isCut: terminal.isCut || later.isCut,
    });
    const decoder = decoders.get(later);
    if (decoder) decoders.set(terminal, decoder);
  }

  /** @param {(row: Row) => boolean} isKept */
  #keep(isKept) {
    const dropped = this.rows.filter((row) => !isKept(row));
    if (dropped.length === 0) return;
    const gone = new Set(dropped);
    this.rows = this.rows.filter(isKept);
    for (const map of [this.#tools, this.#asks, this.#subagents, this.#details, this.#terminalRows]) {
      for (const [key, row] of map) if (gone.has(row)) map.delete(key);
    }
    for (const row of dropped) {
      this.size -= row.size;
      this.#answered.delete(row);
    }
  }

  /** @param {Omit<Row, 'id' | 'version' | 'size'> & { size?: number }} row @returns {Row} */
  #add(row) {
    const size = 800 + (row.size ?? 0) + (row.text?.length ?? 0);
    const added = { ...row, first: row.kind === 'gap' ? row.first : Math.min(row.first, this.#first), id: nextId++, version: 0, size };
    this.rows.push(added);
    this.size += size;
    return added;
  }

  /** @param {Row} row @param {number} n @param {number} [growth] */
  #touch(row, n, growth = 0) {
    row.last = Math.max(row.last, n);
    row.version += 1;
    row.size += growth;
    this.size += growth;
  }

  /** @param {number} n @param {any} entry @param {string} text @param {boolean} [isFault] */
  #note(n, entry, text, isFault = false) {
    return this.#add({ kind: 'note', first: n, last: n, ts: entry.ts, text, isFault });
  }

  /**
   * What each kind of update does. `Tests/Page/update-kinds.json` lists the same kinds, for this table and for the renderer of
   * terminals. Those without work are shown elsewhere, from the session's facts.
   * @type {Record<string, (self: Timeline, n: number, entry: any, update: any) => void>}
   */
  static #kinds = {
    agent_message_chunk: (self, n, entry, update) => self.#chunk(n, entry, update, 'message'),
    agent_thought_chunk: (self, n, entry, update) => self.#chunk(n, entry, update, 'thought'),
    user_message_chunk: (self, n, entry, update) => self.#chunk(n, entry, update, 'prompt'),
    session_message_chunk: (self, n, entry, update) => self.#chunk(n, entry, update, 'between'),
    agent_message: (self, n, entry, update) => self.#whole(n, entry, update, 'message'),
    agent_thought: (self, n, entry, update) => self.#whole(n, entry, update, 'thought'),
    user_message: (self, n, entry, update) => self.#whole(n, entry, update, 'prompt'),
    session_message: (self, n, entry, update) => self.#whole(n, entry, update, 'between'),
    tool_call: (self, n, entry, update) => self.#tool(n, entry, update),
    tool_call_update: (self, n, entry, update) => self.#tool(n, entry, update),
    tool_call_content_chunk: (self, n, entry, update) => self.#toolChunk(n, entry, update),
    terminal_update: (self, n, entry, update) => self.#terminal(n, entry, update),
    terminal_output_chunk: (self, n, entry, update) => self.#terminal(n, entry, update),
    usage_update: (self, _n, _entry, update) => self.usage.apply(update),
    current_mode_update: (self, n, entry, update) => { self.#note(n, entry, `Mode: ${short(update.currentModeId)}`); },
    config_option_update: (self, n, entry, update) => self.#modes(n, entry, update),
    notice: (self, n, entry, update) => self.#notice(n, entry, update),
    compaction_update: (self, n, entry, update) => self.#compaction(n, entry, update),
    compaction_summary_chunk: (self, n, entry, update) => self.#summaryChunk(n, entry, update),
    state_update: (self, n, entry, update) => self.#state(n, entry, update),
    subagent_update: (self, n, entry, update) => self.#subagent(n, entry, update),
    plan_update: (self, n, entry, update) => self.#plan(n, entry, update.plan),
    plan: () => { }, plan_removed: () => { }, available_commands_update: () => { }, session_info_update: () => { },
    replay_complete: () => { },
  };

  static kinds = Object.keys(Timeline.#kinds);

  /** @param {number} n @param {any} entry */
  #update(n, entry) {
    const update = entry.notification?.params?.update;
    if (typeof update?.sessionUpdate !== 'string') return;
    const kind = update.sessionUpdate;
    if (Object.hasOwn(Timeline.#kinds, kind)) Timeline.#kinds[kind](this, n, entry, update);
    else this.#unknown(n, entry, update);
  }

  /** @param {number} n @param {any} entry @param {any} update */
  #notice(n, entry, { severity, title, description }) {
    const mark = severity === 'error' ? 'Error: ' : severity === 'warning' ? 'Warning: ' : '';
    const text = `${mark}${short(title)}${description ? `: ${short(description, 4000)}` : ''}`;
    this.#note(n, entry, text, severity === 'error').data = { severity };
  }

  /**
   * In version 2, modes are options of a category. All options are repeated with each change.
   * @param {number} n @param {any} entry @param {any} update
   */
  #modes(n, entry, { configOptions }) {
    for (const option of Array.isArray(configOptions) ? configOptions : []) {
      if (option?.category !== 'mode' || typeof option.configId !== 'string' || typeof option.currentValue !== 'string') continue;
      const value = option.options?.find?.((/** @type {any} */ one) => one?.value === option.currentValue);
      const row = this.#note(n, entry, `Mode: ${short(value?.name ?? option.currentValue)}`);
      row.data = { mode: option.configId };
      this.rows = withoutRepeatedModes(this.rows);
      if (!this.rows.includes(row)) this.size -= row.size;
    }
  }

  /**
   * The row of something that later updates change.
   * @param {string} key @param {number} n @param {any} entry
   */
  #detail(key, n, entry) {
    const row = this.#details.get(key) ?? this.#add({ kind: 'detail', first: n, last: n, ts: entry.ts, text: '', data: { key, body: '' } });
    this.#details.set(key, row);
    return row;
  }

  /** @param {Row} row @param {number} n @param {string} body */
  #fill(row, n, body) {
    const before = row.data.body.length;
    row.data.body = shortened(body, DIFF_LIMIT);
    this.#touch(row, n, row.data.body.length - before);
  }

  /** @param {number} n @param {any} entry @param {any} update */
  #compaction(n, entry, { compactionId, status, summary, error }) {
    const row = this.#detail(`compaction ${compactionId}`, n, entry);
    row.text = status === 'completed' ? 'The context was compacted' : status === 'in_progress' ? 'Compacting the context…'
      : `Compaction ${short(status)}${error ? `: ${short(error.message ?? error)}` : ''}`;
    row.isFault = status === 'failed';
    if (summary !== undefined) row.data.isWhole = true;
    this.#fill(row, n, summary === undefined ? row.data.body : blocksText(summary, n));
  }

  /** @param {number} n @param {any} entry @param {any} update */
  #summaryChunk(n, entry, { compactionId, content }) {
    const row = this.#detail(`compaction ${compactionId}`, n, entry);
    row.text ||= 'Compacting the context…';
    this.#fill(row, n, row.data.body + blocksText(content, n));
  }

  /**
   * A plan of steps is shown above the rows. Others are texts: each new text has a row.
   * @param {number} n @param {any} entry @param {any} plan
   */
  #plan(n, entry, plan) {
    const text = plan?.type === 'markdown' ? plan.content : plan?.type === 'file' ? plan.uri : undefined;
    if (typeof text !== 'string') return;
    const key = `plan ${plan.planId}`;
    const known = this.#details.get(key);
    if (known?.data.plan === text) return;
    if (known && known !== this.rows[this.rows.length - 1]) this.#details.delete(key);
    const row = this.#detail(key, n, entry);
    row.data.plan = text;
    row.data.isOpen = true;
    row.text = plan.type === 'file' ? `Plan: ${short(text)}` : 'Plan';
    this.#fill(row, n, plan.type === 'file' ? '' : readable(text));
  }

  /**
   * Updates of one kind have one row, because an extension can send many.
   * @param {number} n @param {any} entry @param {any} update
   */
  #unknown(n, entry, update) {
    const kind = shortened(update.sessionUpdate, 100);
    const row = this.#detail(`unknown ${kind}`, n, entry);
    row.data.count = (row.data.count ?? 0) + 1;
    row.data.kind = exact(kind);
    row.data.size = sizeOf(update);
    row.data.seq = n;
    const isShort = row.data.size <= CONTENT_LIMIT;
    this.#fill(row, n, isShort ? JSON.stringify(update, null, 2) : '');
    nameUnknown(row);
  }

  /**
   * The first announcement of a subagent keeps its place; later ones change its title.
   * @param {number} n
   * @param {any} entry
   * @param {any} update
   */
  #subagent(n, entry, update) {
    const id = String(update.sessionId ?? '');
    const title = exact(shortened(String(update.title ?? ''), 200));
    const row = this.#subagents.get(id);
    if (!row) {
      this.#subagents.set(id, Object.assign(this.#note(n, entry, title), { data: { sessionId: id } }));
    } else if (title && title !== row.text) {
      row.text = title;
      this.#touch(row, n);
    }
  }

  /**
   * In version 2 the agent reports its turns.
   * @param {number} n
   * @param {any} entry
   * @param {any} update
   */
  #state(n, entry, update) {
    this.#moved();
    if (update.state !== 'idle') return;
    // A state without a reason reports background work, or is repeated.
    const last = this.rows[this.rows.length - 1];
    if (last?.kind === 'turn' || (!update.stopReason && !update.error && this.#promptTs === 0)) return;
    // In version 2, background calls continue.
    this.#turn(n, entry, { stopReason: update.stopReason, error: update.error }, update.stopReason === 'cancelled' ? 'cancelled' : null);
  }

  /** @param {number} n @param {any} entry @param {any} update @param {TextKind} kind */
  #chunk(n, entry, update, kind) {
    this.#moved();
    const { text, block } = contentOf(update.content, n);
    const last = this.rows[this.rows.length - 1];
    const messageId = update.messageId ?? undefined;
    // The bridge's own entry of a prompt comes first; agents that repeat it add nothing.
    if (kind === 'prompt' && last?.kind === 'prompt' && last.text?.startsWith(text)) return this.#touch(last, n);
    const continues = last?.kind === kind && last.messageId === messageId && (last.text?.length ?? 0) < MESSAGE_LIMIT;
    const row = continues ? last : this.#add({ kind, first: n, last: n, ts: entry.ts, text: '', messageId });
    if (kind === 'between') noteRoute(row, entry, update);
    row.text += text;
    if (block && (row.blocks?.length ?? 0) < BLOCK_LIMIT) row.blocks = [...(row.blocks ?? []), block];
    this.#touch(row, n, text.length + sizeOf(block));
  }

  /**
   * A whole message of version 2 replaces its chunks.
   * @param {number} n
   * @param {any} entry
   * @param {any} update
   * @param {TextKind} kind
   */
  #whole(n, entry, update, kind) {
    const known = [...this.rows].reverse().find((row) => row.kind === kind && row.messageId === update.messageId);
    if (update.content === undefined && known) return;
    const parts = (Array.isArray(update.content) ? update.content : [update.content]).filter(Boolean)
      .map((/** @type {any} */ content) => contentOf(content, n));
    const text = parts.map((/** @type {any} */ part) => part.text).join('');
    const last = this.rows[this.rows.length - 1];
    const repeated = kind === 'prompt' && last?.kind === 'prompt' && last.text === text;
    const row = known ?? (repeated ? last : this.#add({ kind, first: n, last: n, ts: entry.ts, messageId: update.messageId }));
    const growth = text.length - (row.text?.length ?? 0);
    Object.assign(row, { text, blocks: parts.map((/** @type {any} */ part) => part.block).filter(Boolean) });
    if (kind === 'between') noteRoute(row, entry, update);
    this.#touch(row, n, growth);
  }

  /** @param {number} n @param {any} entry */
  #prompt(n, entry) {
    this.#promptTs = entry.ts;
    const parts = (Array.isArray(entry.data?.prompt) ? entry.data.prompt : [])
      .map((/** @type {any} */ block) => contentOf(block, n));
    const text = parts.map((/** @type {any} */ part) => part.text).join('\n').trim();
    const blocks = parts.map((/** @type {any} */ part) => part.block).filter(Boolean).slice(0, BLOCK_LIMIT);
    this.#add({ kind: 'prompt', first: n, last: n, ts: entry.ts, text, blocks, by: entry.data?.by, size: sizeOf(blocks) });
  }

  /** @param {number} n @param {any} entry */
  #turnEnd(n, entry) {
    const isEnd = Boolean(entry.data?.stopReason || entry.data?.error);
    // In version 2 this is the answer to a prompt, and the turn ends with a state.
    if (!isEnd && entry.data?.messageId !== undefined) return;
    this.#moved();
    const last = this.rows[this.rows.length - 1];
    if (last?.kind === 'turn' && !isEnd) return;
    this.#turn(n, entry, entry.data ?? {}, entry.data?.stopReason === 'cancelled' ? 'cancelled' : isEnd ? 'unfinished' : null);
  }

  /**
   * @param {number} n @param {any} entry @param {any} data
   * @param {'cancelled' | 'unfinished' | null} ends What becomes of calls that are open.
   */
  #turn(n, entry, data, ends) {
    const took = this.#promptTs > 0 ? entry.ts - this.#promptTs : null;
    this.#promptTs = 0;
    const isFault = Boolean(data.error) || !['end_turn', 'cancelled', undefined, null].includes(data.stopReason);
    this.#add({ kind: 'turn', first: n, last: n, ts: entry.ts, data: { ...bounded(data), took, ends }, isFault });
    // In version 2, background work can ask after the end of a turn, so only a cancelled turn withdraws what is open.
    if (data.stopReason === 'cancelled') this.#withdraw(n);
    if (ends) this.#endCalls(n, ends);
  }

  /**
   * The calls of a turn have ended with it, which many agents do not report. Work in the background can report its status later.
   * @param {number} n @param {'cancelled' | 'unfinished'} status
   */
  #endCalls(n, status) {
    const prompt = this.rows.map(({ kind }) => kind).lastIndexOf('prompt');
    for (const row of this.rows.slice(prompt + 1)) if (isOpenCall(row)) this.#endCall(row, n, status);
  }

  /** Ends the calls whose turns have ended in a later stretch than they began. */
  #endJoined() {
    /** @type {Row[]} */ let open = [];
    for (const row of this.rows) {
      if (isOpenCall(row)) open.push(row);
      if (row.kind === 'turn' && row.data?.ends) {
        for (const call of open) if (isOpenCall(call) && call.last <= row.last) this.#endCall(call, call.last, row.data.ends);
      }
      if (row.kind === 'prompt') open = [];
    }
  }

  /** @param {Row} row @param {number} n @param {'cancelled' | 'unfinished'} status */
  #endCall(row, n, status) {
    if (row.tool) row.tool.status = status;
    this.#touch(row, n);
  }

  /** @param {number} n @param {Row} [only] The only row that is withdrawn. */
  #withdraw(n, only) {
    for (const row of only ? [only] : this.#asks.values()) {
      if (row.ask?.state !== 'pending') continue;
      row.ask.state = 'withdrawn';
      this.#touch(row, n);
      this.#noteAsked(row, n);
    }
  }

  /** @param {number} n @param {any} entry */
  #agentStart(n, entry) {
    // What an agent before has asked is void, also if its bridge was killed and could not store its end.
    this.#withdraw(n);
    this.lastStartTs = entry.ts ?? 0;
    this.#note(n, entry, `${exact(String(entry.data?.agent ?? 'The agent'))} started`);
  }

  /** @param {number} n @param {any} entry */
  #agentExit(n, entry) {
    this.#withdraw(n);
    if (this.#promptTs > 0) this.#turn(n, entry, { stopReason: 'interrupted' }, 'unfinished');
    this.#endCalls(n, 'unfinished');
    const { reason, exitCode, signal } = entry.data ?? {};
    const text = reason === 'exited' ? `The agent exited with status ${exitCode ?? 0}`
      : reason === 'signaled' ? `The agent was ended by signal ${signal}`
        : reason === 'interrupted' ? INTERRUPTED : 'The session was closed';
    this.#note(n, entry, text, reason === 'signaled' || (reason === 'exited' && exitCode !== 0));
  }

  /**
   * The session has no agent. If its bridge was killed, no entry says so. Can be called again.
   * @param {boolean} isInterrupted Whether the timeline ends because the bridge was killed.
   */
  agentIsGone(isInterrupted) {
    const tail = this.rows[this.rows.length - 1];
    if (!tail) return;
    this.#withdraw(tail.last);
    if (!isInterrupted) return;
    this.#endCalls(tail.last, 'unfinished');
    if (tail.text === INTERRUPTED) return;
    this.#note(tail.last, { ts: this.lastTs }, INTERRUPTED);
    this.#gone = this.rows[this.rows.length - 1];
  }

  /** Entries that come later show that the note was too early. */
  #dropGone() {
    if (!this.#gone) return;
    this.#keep((row) => row !== this.#gone);
    this.#gone = null;
  }

  /** @param {number} n @param {any} entry @param {any} update */
  #tool(n, entry, update) {
    this.#moved(update.toolCallId);
    const id = String(update.toolCallId ?? '');
    let row = this.#tools.get(id);
    if (!row) {
      const tool = {
        // A call whose beginning is not loaded has begun.
        id, title: '', kind: 'other', status: update.sessionUpdate === 'tool_call' ? 'pending' : 'in_progress', locations: [],
        content: [], rawInput: undefined, rawOutput: undefined, cut: null,
      };
      row = this.#add({ kind: 'tool', first: n, last: n, ts: entry.ts, tool, data: {} });
      this.#tools.set(id, row);
    }
    const before = toolSize(row);
    applyTool(row, update, n, this.#diffLimit);
    this.#showTerminals(row);
    this.#touch(row, n, toolSize(row) - before);
  }

  /** @param {Row} row */
  #showTerminals(row) {
    for (const item of row.tool?.content ?? []) {
      if (item?.type !== 'terminal') continue;
      const id = String(item.terminalId);
      item.terminal = this.#terminals.get(id) ?? this.#newTerminal(id);
      this.#terminalRows.set(id, row);
      const own = this.#tools.get(terminalKey(id));
      if (own === row) setStatus(row, item.terminal);
      // A call shows the terminal, so the terminal needs no row of its own.
      else if (own) this.#keep((other) => other !== own);
    }
  }

  /** @param {string} id */
  #newTerminal(id) {
    /** @type {Terminal} */ const terminal = { command: '', text: '', isCut: false, exit: null };
    if (this.#terminals.size < TERMINAL_LIMIT) this.#terminals.set(id, terminal);
    return terminal;
  }

  /** @param {number} n @param {any} entry @param {any} update */
  #terminal(n, entry, update) {
    this.#moved();
    const id = String(update.terminalId ?? '');
    const known = this.#terminals.get(id);
    const terminal = known ?? this.#newTerminal(id);
    const row = this.#terminalRows.get(id);
    const before = row ? toolSize(row) : 0;
    applyTerminal(terminal, update);
    if (row) {
      this.#showTerminals(row);
      this.#touch(row, n, toolSize(row) - before);
    } else if (!known && terminal.command) {
      this.#tool(n, entry, {
        toolCallId: terminalKey(id), title: terminal.command, kind: 'execute', content: [{ type: 'terminal', terminalId: id }],
      });
    }
  }

  /** @param {number} n @param {any} entry @param {any} update */
  #toolChunk(n, entry, update) {
    const tool = this.#tools.get(String(update.toolCallId))?.tool;
    const content = [...(tool?.content ?? []), update.content];
    this.#tool(n, entry, { toolCallId: update.toolCallId, content });
  }

  /** @param {number} n @param {any} entry @param {'permission' | 'question'} kind */
  #ask(n, entry, kind) {
    const requestId = entry.data?.requestId;
    const params = withCall(bounded(entry.data?.params ?? {}));
    const ask = /** @type {Ask} */ ({ requestId, params, state: 'pending' });
    const row = this.#add({ kind, first: n, last: n, ts: entry.ts, ask, size: sizeOf(params) });
    const earlier = this.#asks.get(JSON.stringify(requestId));
    if (earlier) this.#withdraw(n, earlier);
    this.#asks.set(JSON.stringify(requestId), row);
    const tool = this.#tools.get(String(params.toolCall?.toolCallId))?.tool;
    // A request can name a call that has been announced before, without its title or contents.
    if (tool && params.toolCall) {
      const { title, kind, content, rawInput, locations, cut } = tool;
      params.toolCall = { title, kind, content, rawInput, locations, ...params.toolCall, cut };
    }
    this.#noteAsked(row, n);
  }

  /**
   * The card of a call is drawn again, because its request has begun or ended.
   * @param {Row} ask @param {number} n
   */
  #noteAsked(ask, n) {
    const row = this.#tools.get(String(ask.ask?.params?.toolCall?.toolCallId));
    if (!row?.tool || !ask.ask) return;
    ask.ask.hasCall = true;
    row.tool.isAsked = ask.ask.state === 'pending';
    // The last answer counts.
    if (ask.ask.state === 'answered') row.tool.isRejected = ask.ask.isRejected;
    this.#touch(row, n);
  }

  /** @param {number} n @param {any} entry */
  #answer(n, entry) {
    const row = this.#asks.get(JSON.stringify(entry.data?.requestId));
    if (!row?.ask) return;
    const { outcome, isWithdrawn, isRejected } = outcomeOf(row.ask.params, entry.data);
    Object.assign(row.ask, { state: isWithdrawn ? 'withdrawn' : 'answered', outcome, by: entry.data?.by, isRejected });
    if (!isWithdrawn) this.#answered.add(row);
    this.#touch(row, n);
    this.#noteAsked(row, n);
  }

  /** @param {any} requestId */
  #taken(requestId) {
    const row = this.#asks.get(JSON.stringify(requestId));
    if (row?.ask?.state === 'answered') this.#markTaken(row);
  }

  /**
   * The agent went on: it has taken the answers about this call, or all answers.
   * @param {any} [toolCallId]
   */
  #moved(toolCallId) {
    if (this.#answered.size === 0) return;
    for (const row of [...this.#answered]) {
      if (toolCallId === undefined || row.ask?.params?.toolCall?.toolCallId === toolCallId) this.#markTaken(row);
    }
  }

  /** @param {Row} row */
  #markTaken(row) {
    this.#answered.delete(row);
    if (row.ask) row.ask.state = 'taken';
    this.#touch(row, row.last);
  }
}

/**
 * Joins neighbours that are parts of one message.
 * @param {Row[]} rows
 */
function joined(rows) {
  /** @type {Row[]} */ const result = [];
  for (const row of rows) {
    const tail = result[result.length - 1];
    if (!tail || !canJoin(tail, row)) {
      result.push(row);
      continue;
    }
    // The later row stays: new chunks are added to it.
    row.text = `${tail.text ?? ''}${row.text ?? ''}`;
    row.blocks = [...(tail.blocks ?? []), ...(row.blocks ?? [])];
    Object.assign(row, { first: tail.first, ts: tail.ts, size: tail.size + row.size, version: row.version + 1 });
    result[result.length - 1] = row;
  }
  return result;
}

/** @param {Row} tail @param {Row} head */
function canJoin(tail, head) {
  const isText = head.kind === 'message' || head.kind === 'thought' || head.kind === 'between';
  return isText && tail.kind === head.kind && tail.messageId === head.messageId && (tail.text?.length ?? 0) < MESSAGE_LIMIT;
}

/**
 * Only changes of a mode have notes.
 * @param {Row[]} rows
 */
function withoutRepeatedModes(rows) {
  /** @type {Map<string, string | undefined>} */ const shown = new Map();
  return rows.filter(({ data, text }) => {
    if (data?.mode === undefined) return true;
    const isNew = shown.get(data.mode) !== text;
    shown.set(data.mode, text);
    return isNew;
  });
}

/** @param {Row} row */
function nameUnknown(row) {
  const { count, kind } = row.data;
  row.text = `Update of unknown kind ${kind}${count > 1 ? `, ${count.toLocaleString('en')} times` : ''}`;
}

/**
 * The other session of a message between sessions: the one whose timeline this is not.
 * @param {Row} row @param {any} entry @param {any} update
 */
function noteRoute(row, entry, { senderSessionId, recipientSessionId }) {
  const own = entry.notification?.params?.sessionId;
  const other = (/** @type {unknown} */ id) => (typeof id === 'string' && id !== own ? id : undefined);
  row.data = { from: other(senderSessionId) ?? row.data?.from, to: other(recipientSessionId) ?? row.data?.to };
}

/**
 * The text of a content block, or of several.
 * @param {any} content @param {number} n
 */
const blocksText = (content, n) => (Array.isArray(content) ? content : [content]).map((block) =>
  contentOf(block, n).text || (block?.type && block.type !== 'text' ? `[${short(block.type)}]` : '')).join('');

/** @param {unknown} value @param {number} [limit] */
const short = (value, limit = 1000) => exact(shortened(String(value ?? ''), limit));

/** @param {Row} row @param {any} update @param {number} n @param {number} diffLimit */
function applyTool(row, update, n, diffLimit) {
  const tool = /** @type {Tool} */ (row.tool);
  if (typeof update.title === 'string') {
    tool.title = exact(update.title).slice(0, 1000);
    row.data.hasTitle = true;
  }
  if (typeof update.kind === 'string') tool.kind = update.kind;
  if (typeof update.status === 'string') tool.status = tool.reported = update.status;
  else continueCall(tool);
  if (Array.isArray(update.locations)) tool.locations = update.locations.slice(0, 20);
  if (Array.isArray(update.content)) setContent(tool, update.content, n, diffLimit);
  for (const name of /** @type {const} */ (['rawInput', 'rawOutput'])) {
    if (update[name] === undefined || update[name] === null) continue;
    const size = sizeOf(update[name]);
    if (size <= CONTENT_LIMIT) tool[name] = update[name];
    else if (!tool.cut || tool.cut.size < size) tool.cut = { seq: n, size };
  }
}

/**
 * Work in the background that reports something after the end of its turn.
 * @param {Tool} tool
 */
function continueCall(tool) {
  if (tool.status === 'unfinished') tool.status = tool.reported ?? 'in_progress';
}

/** @param {Row} row A call that waits for an answer can go on after its turn. */
const isOpenCall = ({ tool }) => (tool?.status === 'pending' || tool?.status === 'in_progress') && !tool.isAsked;

/**
 * The call that a request is about. In version 2 it is the request's subject, or the subject is a command.
 * @param {any} params
 */
function withCall(params) {
  const { subject } = params ?? {};
  if (!subject || typeof subject !== 'object' || params.toolCall) return params;
  const { toolCallId, command } = subject;
  const call = subject.toolCall ?? (typeof command === 'string' ? { toolCallId, kind: 'execute', rawInput: { command } } : null);
  return call && typeof call === 'object' ? { ...params, toolCall: call } : params;
}

/**
 * The key of the row of a terminal that no call shows.
 * @param {string} id
 */
const terminalKey = (id) => `terminal ${id}`;

/** @param {Row} row @param {Terminal} terminal */
function setStatus(row, { exit }) {
  if (row.tool) row.tool.status = !exit ? 'in_progress' : exit.exitCode ? 'failed' : 'completed';
}

/** @param {Terminal} terminal @param {any} update */
function applyTerminal(terminal, update) {
  if (typeof update.command === 'string') terminal.command = exact(update.command).slice(0, 1000);
  if (update.exitStatus !== undefined) terminal.exit = update.exitStatus;
  // `output` replaces all output before it.
  if (update.output) {
    Object.assign(terminal, { text: '', isCut: false });
    decoders.delete(terminal);
  }
  const decoder = decoders.get(terminal) ?? new TextDecoder();
  decoders.set(terminal, decoder);
  appendOutput(terminal, decoder.decode(bytesOf(update.output?.data ?? update.data), { stream: true }));
}

/** @param {Terminal} terminal @param {string} text */
function appendOutput(terminal, text) {
  const all = terminal.text + text;
  terminal.isCut ||= all.length > CONTENT_LIMIT;
  terminal.text = all.slice(-CONTENT_LIMIT);
}

/** @param {unknown} data Base64. */
function bytesOf(data) {
  try {
    return Uint8Array.from(atob(typeof data === 'string' ? data : ''), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** @param {Tool} tool @param {any[]} content @param {number} n @param {number} diffLimit */
function setContent(tool, content, n, diffLimit) {
  const size = sizeOf(content);
  tool.content = content.slice(0, BLOCK_LIMIT).flatMap((item) => (item?.type === 'diff' ? fileDiffs(item) : [item]))
    .slice(0, BLOCK_LIMIT).map((item) => shortContent(item, diffLimit));
  const isCut = content.length > BLOCK_LIMIT || tool.content.some((item) => item?.isCut);
  tool.cut = isCut ? { seq: n, size } : tool.cut?.seq === n ? tool.cut : null;
}

/**
 * Keeps the end of a text, which is what a reader of a command's output wants.
 * @param {any} item
 * @param {number} diffLimit
 */
function shortContent(item, diffLimit) {
  const text = item?.content?.text;
  if (item?.type === 'content' && typeof text === 'string' && text.length > CONTENT_LIMIT) {
    return { ...item, isCut: true, content: { ...item.content, text: text.slice(-CONTENT_LIMIT) } };
  }
  if (item?.type === 'terminal') return { ...item };
  if (item?.type === 'diff' && (item.oldText?.length ?? 0) + (item.newText?.length ?? 0) + (item.patch?.length ?? 0) > diffLimit) {
    return { type: 'diff', path: item.path, isCut: true };
  }
  if (item?.type === 'content' && typeof item.content?.data === 'string' && item.content.data.length > IMAGE_LIMIT) {
    return { type: 'content', isCut: true, content: { type: 'text', text: `An image of ${item.content.data.length} bytes` } };
  }
  return item;
}

/** @param {Row} row */
function toolSize(row) {
  const { tool } = row;
  if (!tool) return 0;
  return tool.title.length + sizeOf(tool.content) + sizeOf(tool.rawInput) + sizeOf(tool.rawOutput);
}

/**
 * Splits a content block of ACP into text and the rest.
 * @param {any} content
 * @param {number} n
 */
function contentOf(content, n) {
  if (content?.type === 'text') return { text: readable(String(content.text ?? '')), block: null };
  if (!content || typeof content !== 'object') return { text: '', block: null };
  if (content.type === 'image' && content.data?.length > IMAGE_LIMIT) {
    return { text: '', block: { type: 'cut', seq: n, size: content.data.length, what: 'image' } };
  }
  return { text: '', block: bounded(content, IMAGE_LIMIT + 1000, n) };
}

/**
 * A value as it is, or a note about its size if it is too large to keep.
 * @param {any} value
 * @param {number} [limit]
 * @param {number} [n]
 */
function bounded(value, limit = 256 * 1024, n = 0) {
  const size = sizeOf(value);
  return size <= limit ? value : { type: 'cut', seq: n, size, what: 'content', omittedBytes: size, options: value?.options };
}

/**
 * The length of a value's JSON, without writing it.
 * @param {any} value
 * @returns {number}
 */
export function sizeOf(value) {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + 1 + sizeOf(item), 2);
  if (value && typeof value === 'object') {
    return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + 4 + sizeOf(item), 2);
  }
  return value === undefined ? 0 : 8;
}

/**
 * @param {any} params @param {any} data
 * @returns {{ outcome: string, isWithdrawn: boolean, isRejected?: boolean }}
 */
export function outcomeOf(params, data) {
  if (data?.error) return { outcome: exact(String(data.error.message ?? 'Failed')), isWithdrawn: true };
  const result = data?.result ?? {};
  if (typeof result.action === 'string') {
    const words = /** @type {Record<string, string>} */ ({ accept: 'Answered', decline: 'Declined', cancel: 'Cancelled' });
    return { outcome: words[result.action] ?? exact(result.action), isWithdrawn: result.action === 'cancel' };
  }
  if (result.outcome?.outcome !== 'selected') return { outcome: 'Cancelled', isWithdrawn: true };
  const options = Array.isArray(params?.options) ? params.options : [];
  const option = options.find((/** @type {any} */ other) => other.optionId === result.outcome.optionId);
  return {
    outcome: exact(String(option?.name ?? result.outcome.optionId)), isWithdrawn: false,
    isRejected: String(option?.kind).startsWith('reject'),
  };
}
