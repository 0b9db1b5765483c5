// The heights of a long list's rows: measured ones, estimates for the others, and the sums outside of a window. Pure.

/** @typedef {{ count: number, sum: number }} Heights Of rows that were measured. */

/** The height of a row, in pixels, before any was measured. */
const FIRST_ESTIMATE = 72;

export class RowHeights {
  /** @type {readonly { id: number }[]} */ #rows = [];
  /** @type {Map<number, number>} */ #known = new Map();
  /** @type {Heights} */ #all = { count: 0, sum: 0 };
  #from = 0;
  #to = 0;
  /**
   * The measured rows above and below the window; null if the rows are others since.
   * @type {{ above: Heights, below: Heights } | null}
   */
  #outside = null;

  /**
   * Set them also if the same array has changed.
   * @param {readonly { id: number }[]} rows
   */
  set rows(rows) {
    this.#rows = rows;
    this.#outside = null;
  }

  clear() {
    this.#known.clear();
    this.#all = { count: 0, sum: 0 };
    this.#outside = null;
  }

  /** The estimated height of a row that was not measured. */
  get #mean() { return this.#all.count > 0 ? this.#all.sum / this.#all.count : FIRST_ESTIMATE; }

  /**
   * The height of a row that was measured, or 0.
   * @param {number} id
   */
  measured(id) { return this.#known.get(id) ?? 0; }

  /**
   * The height of the row at this place, or an estimate.
   * @param {number} index
   */
  at(index) { return this.#known.get(this.#rows[index].id) ?? this.#mean; }

  /**
   * Stores the height of a row of the window.
   * @param {number} id @param {number} height
   */
  set(id, height) {
    const earlier = this.#known.get(id);
    this.#all.sum += height - (earlier ?? 0);
    if (earlier === undefined) this.#all.count += 1;
    this.#known.set(id, height);
    // Heights of rows that were dropped are worth nothing; the map stays as bounded as the rows.
    if (this.#known.size > 2 * this.#rows.length + 1000) this.#forgetDropped();
  }

  #forgetDropped() {
    const ids = new Set(this.#rows.map((row) => row.id));
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
    this.#all = { count: this.#known.size, sum: [...this.#known.values()].reduce((sum, height) => sum + height, 0) };
  }

  /**
   * Moves the window: only the rows that come into it or leave it are added.
   * @param {number} from @param {number} to
   */
  moveWindow(from, to) {
    const isSame = this.#outside !== null;
    this.#outside ??= { above: { count: 0, sum: 0 }, below: { count: 0, sum: 0 } };
    this.#move(this.#outside.above, isSame ? this.#from : 0, from, 1);
    this.#move(this.#outside.below, isSame ? this.#to : this.#rows.length, to, -1);
    this.#from = from;
    this.#to = to;
  }

  /** @param {Heights} part @param {number} before @param {number} after @param {number} sign */
  #move(part, before, after, sign) {
    const step = after > before ? sign : -sign;
    for (let at = Math.min(before, after); at < Math.max(before, after); at += 1) {
      const height = this.#known.get(this.#rows[at].id);
      if (height === undefined) continue;
      part.count += step;
      part.sum += step * height;
    }
  }

  /** The height of all rows above the window. */
  get above() { return this.#sum(this.#outside?.above, this.#from); }

  /** The height of all rows below the window. */
  get below() { return this.#sum(this.#outside?.below, this.#rows.length - this.#to); }

  /** @param {Heights | undefined} part @param {number} rows */
  #sum(part, rows) { return part ? part.sum + (rows - part.count) * this.#mean : 0; }
}
