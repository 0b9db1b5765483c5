// The changes of files in a session, from the diffs in its tool calls.

/** @typedef {{ path: string, oldText: string | null, newText: string }} FileChange */

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
