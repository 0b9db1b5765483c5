// The changes of files in a session, from the diffs in its tool calls.

/**
 * A change of one file: both texts of version 1, a patch of version 2, or only its path if it is too large to keep.
 * @typedef {{ type: 'diff', path: string, oldText?: string | null, newText?: string, patch?: string, isCut?: boolean }} FileDiff
 */

/** The most files of one diff of version 2 with a change of their own. The last one has all further files. */
const FILE_LIMIT = 100;

/**
 * The changes of one diff in a tool call. In version 2, a diff can change several files: it names them, and has one patch.
 * @param {any} item
 * @returns {FileDiff[]}
 */
export function fileDiffs(item) {
  const text = item?.patch?.text ?? item?.diff;
  if (!Array.isArray(item?.changes) && typeof text !== 'string') return [item];
  const changes = (Array.isArray(item.changes) ? item.changes : []).filter((/** @type {any} */ change) => typeof change?.path === 'string');
  const patches = typeof text === 'string' ? text.split(/^(?=diff --git )/m).filter((part) => part.trim() !== '') : [];
  // The changes have whole paths. They belong to the patches only if there are as many.
  if (changes.length !== patches.length && patches.length > 0) {
    return joined(patches.map((patch) => ({ type: 'diff', path: patchPath(patch) || String(changes[0]?.path ?? ''), patch })));
  }
  return joined(changes.map((/** @type {any} */ change, /** @type {number} */ index) => ({
    type: 'diff', path: change.oldPath ? `${change.oldPath} → ${change.path}` : change.path, patch: patches[index] ?? '',
  })));
}

/** @param {FileDiff[]} diffs @returns {FileDiff[]} */
function joined(diffs) {
  if (diffs.length <= FILE_LIMIT) return diffs;
  const rest = diffs.slice(FILE_LIMIT - 1);
  const patch = rest.map(({ path, patch: text }) => text || `diff --git ${path}\n`).join('');
  return [...diffs.slice(0, FILE_LIMIT - 1), { type: 'diff', path: `${rest.length.toLocaleString('en')} further files`, patch }];
}

/** @param {string} patch */
function patchPath(patch) {
  const [, after] = /^\+\+\+ (?:b\/)?(.+)$/m.exec(patch) ?? [];
  const [, before] = /^--- (?:a\/)?(.+)$/m.exec(patch) ?? [];
  return (after === '/dev/null' ? before : after) ?? '';
}

/**
 * @typedef {object} Change One change of a file, or several that follow each other exactly.
 * @property {FileDiff} diff
 * @property {{ number: number, ts: number, title: string }[]} places The calls that made it, in their order.
 * @property {'made' | 'waiting' | 'running'} state Waiting: the call is asked about.
 * @property {number} seq The number of the entry that has all of a change that is too large to keep.
 * @property {string} key Another one after each change of the calls.
 * @property {string} [by] The session that made it, for a subagent.
 */
/** @typedef {{ path: string, changes: Change[] }} ChangedFile */
/** @typedef {import('./timeline.js').Row} Row */

/** The kinds of entries that tell which changes were made. */
const KEPT = ['prompt', 'turn_end', 'permission_request', 'permission_answer', 'permission_taken', 'agent_start', 'agent_exit'];

/**
 * The part of a timeline's entry that tells which files were changed; null if it tells nothing. Output and texts are left out, so that
 * the changes of a long session take little memory.
 * @param {any} entry
 */
export function changeFacts(entry) {
  const { kind, ts, data } = entry ?? {};
  if (kind !== 'update') return KEPT.includes(kind) ? { kind, ts, data: askFacts(kind, data) } : null;
  const update = entry.notification?.params?.update;
  const facts = update && typeof update === 'object' ? updateFacts(update) : null;
  return facts && { kind, ts, notification: { params: { update: facts } } };
}

/** @param {string} kind @param {any} data */
function askFacts(kind, data) {
  if (kind === 'prompt') return {};
  if (kind !== 'permission_request') return data;
  const { toolCall, subject, options } = data?.params ?? {};
  const call = toolCall && { toolCallId: toolCall.toolCallId };
  return { requestId: data?.requestId, params: { toolCall: call, subject: nameOf(subject), options } };
}

/** @param {any} subject */
const nameOf = (subject) => (subject?.toolCall ? { toolCall: { toolCallId: subject.toolCall.toolCallId } } : undefined);

/** @param {any} update */
function updateFacts(update) {
  const { sessionUpdate, toolCallId, title, kind, status, content } = update;
  if (sessionUpdate === 'state_update') return update;
  if (sessionUpdate === 'tool_call_content_chunk') return content?.type === 'diff' ? update : null;
  if (sessionUpdate !== 'tool_call' && sessionUpdate !== 'tool_call_update') return null;
  const diffs = Array.isArray(content) ? content.filter((item) => item?.type === 'diff') : [];
  // The result of a call can replace its diff by a text, and the change is still made.
  return { sessionUpdate, toolCallId, title, kind, status, ...(diffs.length > 0 && { content: diffs }) };
}

/**
 * The files that calls have changed, by their paths. Calls that failed, were cancelled or were rejected have changed nothing.
 * @param {Row[]} rows In their order.
 * @param {string} [by] The session of the rows, for a subagent.
 * @returns {ChangedFile[]}
 */
export function changedFiles(rows, by) {
  /** @type {Map<string, Change[]>} */ const files = new Map();
  for (const row of rows) {
    const { tool } = row;
    const state = tool && stateOf(tool);
    if (!tool || !state) continue;
    tool.content.forEach((item, at) => {
      if (item?.type !== 'diff') return;
      const path = String(item.path ?? '');
      const changes = files.get(path) ?? [];
      files.set(path, changes);
      addChange(changes, {
        diff: item, places: [{ number: row.first, ts: row.ts, title: tool.title }], state, seq: tool.cut?.seq ?? row.first,
        key: `${row.id}.${at}.${row.version}`, by,
      });
    });
  }
  return [...files].map(([path, changes]) => ({ path, changes: changes.filter((change) => !isUndone(change)) }))
    .filter(({ changes }) => changes.length > 0).sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * The files of several sessions. The changes of one file are in the order of their beginnings.
 * @param {ChangedFile[][]} lists
 * @returns {ChangedFile[]}
 */
export function mergedFiles(lists) {
  if (lists.length === 1) return lists[0];
  /** @type {Map<string, Change[]>} */ const files = new Map();
  for (const { path, changes } of lists.flat()) files.set(path, [...files.get(path) ?? [], ...changes]);
  const start = (/** @type {Change} */ { places }) => places[0].ts;
  return [...files].map(([path, changes]) => ({ path, changes: changes.sort((one, other) => start(one) - start(other)) }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * Whether the calls have together changed nothing.
 * @param {Change} change
 */
const isUndone = ({ diff, places }) => places.length > 1 && diff.oldText === diff.newText;

/** @param {import('./timeline.js').Tool} tool @returns {Change['state'] | null} Null if nothing was changed. */
function stateOf({ status, isAsked, isRejected }) {
  if (status === 'failed' || status === 'cancelled') return null;
  if (status === 'completed') return 'made';
  if (isRejected) return null;
  return isAsked ? 'waiting' : status === 'pending' || status === 'in_progress' ? 'running' : 'made';
}

/**
 * A to B and B to C become A to C. An agent can report parts of a file, so only texts that follow each other exactly are joined, and an
 * empty text is the beginning of nothing.
 * @param {Change[]} changes @param {Change} next
 */
function addChange(changes, next) {
  const last = changes[changes.length - 1];
  const isNext = last?.state === 'made' && next.state === 'made' && last.diff.newText && last.diff.newText === next.diff.oldText;
  if (!isNext) { changes.push(next); return; }
  const places = [...last.places, ...next.places];
  const key = `${last.key.split('>')[0]}>${places.length}>${next.key}`;
  changes[changes.length - 1] = { ...last, diff: { ...last.diff, newText: next.diff.newText }, places, key };
}

/** @typedef {{ added: number, removed: number }} LineCounts */

/**
 * The lines that the parts of a line diff add and remove.
 * @param {{ value: string, added?: boolean, removed?: boolean }[]} parts From the library diff's `diffLines`.
 * @returns {LineCounts}
 */
export function partCounts(parts) {
  const counts = { added: 0, removed: 0 };
  for (const { value, added, removed } of parts) {
    if (!added && !removed) continue;
    const lines = value.split('\n');
    counts[added ? 'added' : 'removed'] += lines.length - (lines[lines.length - 1] === '' ? 1 : 0);
  }
  return counts;
}

/** @param {DiffLine[]} rows @returns {LineCounts} */
export function rowCounts(rows) {
  const count = (/** @type {DiffLine['kind']} */ kind) => rows.filter((row) => row.kind === kind).length;
  return { added: count('added'), removed: count('removed') };
}

/**
 * The changes of one file in an entry, whole.
 * @param {any} entry @param {string} path
 */
export function entryDiffs(entry, path) {
  const content = entry?.notification?.params?.update?.content;
  const items = (Array.isArray(content) ? content : [content]).filter((item) => item?.type === 'diff');
  return items.flatMap(fileDiffs).filter((diff) => String(diff?.path ?? '') === path);
}

/**
 * @typedef {{ kind: 'same' | 'added' | 'removed' | 'hidden', text: string, from?: number, to?: number }} DiffLine
 *   `from` and `to` are line numbers in the old and the new text; `hidden` has the count of lines in `from`.
 */

/**
 * Turns the parts of a line diff into lines, with `context` unchanged lines around each change.
 * @param {{ value: string, added?: boolean, removed?: boolean }[]} parts From the library diff's `diffLines`.
 * @param {number} [context]
 * @returns {DiffLine[]}
 */
export function diffRows(parts, context = 3) {
  /** @type {DiffLine[]} */ const rows = [];
  let from = 1;
  let to = 1;
  parts.forEach((part, index) => {
    const lines = part.value.split('\n');
    if (lines[lines.length - 1] === '') lines.pop();
    if (part.added) for (const text of lines) rows.push({ kind: 'added', text, to: to++ });
    else if (part.removed) for (const text of lines) rows.push({ kind: 'removed', text, from: from++ });
    else {
      const head = index === 0 ? 0 : context;
      const tail = index === parts.length - 1 ? 0 : context;
      lines.forEach((text, line) => {
        const isHidden = line >= head && line < lines.length - tail && lines.length > head + tail + 1;
        if (!isHidden) rows.push({ kind: 'same', text, from, to });
        else if (line === head) rows.push({ kind: 'hidden', text: '', from: lines.length - head - tail });
        from += 1;
        to += 1;
      });
    }
  });
  return rows;
}

/**
 * Turns the hunks of a patch of `git diff` into lines. Lines before the first hunk are left out.
 * @param {string} patch
 * @returns {DiffLine[]}
 */
export function patchRows(patch) {
  /** @type {DiffLine[]} */ const rows = [];
  let from = 0;
  let to = 0;
  let isInHunk = false;
  // With several files, each begins with a row of its name.
  const isSeveral = patch.split(/^diff --git /m).length > 2;
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk) {
      const next = Number(hunk[1]);
      const hidden = next - (isInHunk ? from : 1);
      if (hidden > 0) rows.push({ kind: 'hidden', text: '', from: hidden });
      [from, to, isInHunk] = [next, Number(hunk[2]), true];
    } else if (line.startsWith('diff --git ')) {
      if (isSeveral) rows.push({ kind: 'same', text: line.slice(11) });
      isInHunk = false;
    } else if (isInHunk && line[0] === '+') rows.push({ kind: 'added', text: line.slice(1), to: to++ });
    else if (isInHunk && line[0] === '-') rows.push({ kind: 'removed', text: line.slice(1), from: from++ });
    // A backslash begins the note that a file has no line feed at its end.
    else if (isInHunk && line[0] !== '\\') rows.push({ kind: 'same', text: line.slice(1), from: from++, to: to++ });
  }
  return rows;
}
