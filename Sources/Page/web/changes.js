// The changes of files in a session, from the diffs in its tool calls.

/** @typedef {{ path: string, oldText: string | null, newText: string }} FileChange */
/**
 * A change of one file: both texts of version 1, a patch of version 2, or only its path if it is too large to keep.
 * @typedef {{ type: 'diff', path: string, oldText?: string | null, newText?: string, patch?: string, isCut?: boolean }} FileDiff
 */

/** The most files of one diff of version 2. */
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
    return patches.slice(0, FILE_LIMIT).map((patch) => ({ type: 'diff', path: patchPath(patch) || String(changes[0]?.path ?? ''), patch }));
  }
  return changes.slice(0, FILE_LIMIT).map((/** @type {any} */ change, /** @type {number} */ index) => ({
    type: 'diff', path: change.oldPath ? `${change.oldPath} → ${change.path}` : change.path, patch: patches[index] ?? '',
  }));
}

/** @param {string} patch */
function patchPath(patch) {
  const [, after] = /^\+\+\+ (?:b\/)?(.+)$/m.exec(patch) ?? [];
  const [, before] = /^--- (?:a\/)?(.+)$/m.exec(patch) ?? [];
  return (after === '/dev/null' ? before : after) ?? '';
}

/**
 * Joins changes of one file that follow each other: A to B and B to C become A to C. Others stay apart, because an agent
 * can report parts of a file.
 * @param {FileChange[]} changes In their order.
 * @returns {FileChange[]}
 */
export function netChanges(changes) {
  /** @type {FileChange[]} */ const result = [];
  for (const change of changes) {
    const earlier = result.findLast?.((other) => other.path === change.path && other.newText === change.oldText)
      ?? [...result].reverse().find((other) => other.path === change.path && other.newText === change.oldText);
    if (earlier) earlier.newText = change.newText;
    else result.push({ ...change });
  }
  return result.filter((change) => change.oldText !== change.newText);
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
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk) {
      const next = Number(hunk[1]);
      const hidden = next - (isInHunk ? from : 1);
      if (hidden > 0) rows.push({ kind: 'hidden', text: '', from: hidden });
      [from, to, isInHunk] = [next, Number(hunk[2]), true];
    } else if (isInHunk && line[0] === '+') rows.push({ kind: 'added', text: line.slice(1), to: to++ });
    else if (isInHunk && line[0] === '-') rows.push({ kind: 'removed', text: line.slice(1), from: from++ });
    // A backslash begins the note that a file has no line feed at its end.
    else if (isInHunk && line[0] !== '\\') rows.push({ kind: 'same', text: line.slice(1), from: from++, to: to++ });
  }
  return rows;
}
