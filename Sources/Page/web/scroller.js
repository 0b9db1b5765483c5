// Draws a long list of rows with a bounded number of elements: those near the viewport, between two spacers.

import { h, perFrame } from './dom.js';
import { RowHeights } from './row-heights.js';

/** @typedef {import('./timeline.js').Row} Row */

/** The most rows that are in the document. */
const RENDERED_LIMIT = 160;
/** A reader this close to the end, in pixels, is at the end. */
const END_MARGIN = 48;
/** A scroll this long after the last input of a person is still theirs. */
const INPUT_MS = 1500;

export class Scroller {
  /** @type {Row[]} */ #rows = [];
  #list = h('div.rows', { role: 'log', 'aria-live': 'off' });
  #top = h('div.spacer', { 'aria-hidden': 'true' });
  #bottom = h('div.spacer', { 'aria-hidden': 'true' });
  #heights = new RowHeights();
  /** @type {Map<number, { element: HTMLElement, version: number }>} */ #drawn = new Map();
  #draw;
  #onScroll;
  /** The window of rows in the document. */
  #from = 0;
  #to = 0;
  /** @type {Row[]} */ #shown = [];
  /** Where the page itself has scrolled to; minus infinity if a person scrolls. */
  #expectedTop = -Infinity;
  /** The heights of the content and of the viewport when it was last scrolled to the end. */
  #endHeights = '';
  #inputTime = -INPUT_MS;
  /**
   * The row that was brought into view, until a person scrolls: its place stays, whatever happens above it.
   * @type {number | null}
   */
  #held = null;
  isAtEnd = true;
  /** Brings the document up to date, once per frame. */
  update = perFrame(() => this.#render());

  /**
   * @param {HTMLElement} element The scrolling element.
   * @param {{ draw: (row: Row, earlier: HTMLElement | null) => HTMLElement, onScroll: () => void }} options
   */
  constructor(element, { draw, onScroll }) {
    this.element = element;
    this.#draw = draw;
    this.#onScroll = onScroll;
    element.append(this.#top, this.#list, this.#bottom);
    element.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      element.addEventListener(name, () => {
        this.#inputTime = performance.now();
        this.#held = null;
      }, { passive: true });
    }
    element.addEventListener('click', (event) => {
      if (/** @type {Element} */ (event.target).closest('summary, .group-head')) this.#letGo();
    }, { capture: true });
    this.observer = new ResizeObserver((entries) => {
      const growth = this.#growth(new Map(entries.map(({ target, borderBoxSize: [size] }) => [target, size.blockSize])));
      if (this.isAtEnd) this.#toBottom(); else this.#scrollBy(growth);
    });
    this.observer.observe(this.#list);
    this.observer.observe(element);
  }

  /** @param {Row[]} rows */
  set rows(rows) {
    if (this.#rows !== rows && rows.length === 0) this.#forget();
    this.#rows = rows;
    this.#heights.rows = rows;
    this.update();
  }

  close() { this.observer.disconnect(); }

  #forget() {
    this.#heights.clear();
    this.#drawn.clear();
    for (const element of this.#list.children) this.observer.unobserve(element);
    this.#list.replaceChildren();
    this.#from = this.#to = 0;
    this.#shown = [];
  }

  /** Goes to the end and stays there while rows come. */
  toEnd() {
    this.isAtEnd = true;
    this.#held = null;
    this.#render();
  }

  /**
   * The first visible row, by its number on the timeline, and its place in the viewport in pixels.
   * @returns {{ number: number, offset: number } | null}
   */
  get place() {
    const anchor = this.#anchor();
    return anchor && { number: anchor.first, offset: Math.round(anchor.top - this.element.getBoundingClientRect().top) };
  }

  /**
   * Brings a row to the middle of the viewport.
   * @param {number} id
   * @param {number | null} [offset] The row's place in the viewport in pixels, instead of the middle.
   * @returns {HTMLElement | null}
   */
  reveal(id, offset = null) {
    const index = this.#rows.findIndex((row) => row.id === id);
    if (index < 0) return null;
    this.isAtEnd = false;
    this.#place(Math.max(0, index - 20), index);
    this.#held = id;
    const element = this.#drawn.get(id)?.element ?? null;
    element?.scrollIntoView({ block: 'center' });
    if (offset !== null && element) this.#scrollBy(element.getBoundingClientRect().top - this.element.getBoundingClientRect().top - offset);
    return element;
  }

  /**
   * A row's place in the viewport in pixels; null if it is not drawn.
   * @param {number} id
   */
  topOf(id) {
    const element = this.#drawn.get(id)?.element;
    return element ? element.getBoundingClientRect().top - this.element.getBoundingClientRect().top : null;
  }

  /** What a person opens stays in its place, also at the end. The reader is at the end again if it has room. */
  #letGo() {
    if (!this.isAtEnd) return;
    this.isAtEnd = false;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const { scrollTop, scrollHeight, clientHeight } = this.element;
      if (scrollHeight - scrollTop - clientHeight < END_MARGIN) this.isAtEnd = true;
      this.#onScroll();
    }));
  }

  /** Whether the reader is near the first row. */
  get isAtStart() { return this.element.scrollTop < this.element.clientHeight * 1.5; }

  /** Whether the reader is near the last row. */
  get isNearEnd() {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    return scrollHeight - scrollTop - clientHeight < clientHeight * 1.5;
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    // Images, code and diffs change the height after they were drawn, and the browser moves the content then.
    const isLayout = this.#endHeights !== `${scrollHeight} ${clientHeight}` && performance.now() - this.#inputTime > INPUT_MS;
    if (this.isAtEnd && isLayout) this.#toBottom();
    else if (Math.abs(scrollTop - this.#expectedTop) > 1) this.isAtEnd = scrollHeight - scrollTop - clientHeight < END_MARGIN;
    if (!(this.isAtEnd && isLayout)) this.#expectedTop = -Infinity;
    if (this.#isOutside()) this.update();
    this.#onScroll();
  }

  /** Whether less than half a viewport of rows is drawn on either side. */
  #isOutside() {
    const view = this.element.getBoundingClientRect();
    const list = this.#list.getBoundingClientRect();
    return (this.#from > 0 && list.top > view.top - view.height / 2)
      || (this.#to < this.#rows.length && list.bottom < view.bottom + view.height / 2);
  }

  #render() {
    if (!this.element.isConnected) return;
    if (this.isAtEnd) {
      this.#place(this.#startAbove(this.#rows.length, this.element.clientHeight * 2.5), this.#rows.length);
      this.#toBottom();
      return;
    }
    // The observer comes after this frame's work.
    this.#scrollBy(this.#growth(new Map([...this.#list.children].map((row) => [row, row.getBoundingClientRect().height]))));
    const anchor = this.#anchor();
    const index = anchor ? this.#indexOf(anchor) : -1;
    if (index >= 0 && anchor) {
      this.#place(this.#startAbove(index, this.element.clientHeight * 1.2), index);
      const element = this.#drawn.get(this.#rows[index].id)?.element;
      if (element) this.#scrollBy(element.getBoundingClientRect().top - anchor.top);
    } else {
      const first = this.#indexAt(this.element.scrollTop);
      this.#place(this.#startAbove(first, this.element.clientHeight * 1.2), first);
      this.#show(first);
    }
    // A reader can still be at the first row, and then no scroll comes.
    this.#onScroll();
  }

  /**
   * Brings a drawn row to the top if the rows are beside the viewport, because the heights above them were estimates.
   * @param {number} index
   */
  #show(index) {
    const view = this.element.getBoundingClientRect();
    const list = this.#list.getBoundingClientRect();
    if (list.bottom > view.top && list.top < view.bottom) return;
    const element = this.#drawn.get(this.#rows[index]?.id ?? -1)?.element;
    if (element) this.#scrollBy(element.getBoundingClientRect().top - view.top);
  }

  /**
   * Diffs, code and images change the heights of rows after they were drawn. The row that was brought into view, or else the first
   * visible one, stays in its place. Returns by how much the rows above it have grown.
   * @param {Map<Element, number>} heights
   */
  #growth(heights) {
    const held = this.#held !== null && this.#drawn.has(this.#held) ? this.#held : null;
    let bottom = this.#list.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
    let growth = 0;
    let isAbove = true;
    for (const { id } of this.#shown) {
      const before = this.#heights.measured(id);
      const height = heights.get(/** @type {HTMLElement} */(this.#drawn.get(id)?.element)) ?? before;
      bottom += before;
      isAbove &&= held === null ? bottom <= 0 : id !== held;
      if (isAbove) growth += height - before;
      if (height !== before) this.#heights.set(id, height);
    }
    return growth;
  }

  /** The first row that is visible, and its place. */
  #anchor() {
    const view = this.element.getBoundingClientRect();
    let { top } = this.#list.getBoundingClientRect();
    for (const [at, { id, first }] of top < view.bottom ? this.#shown.entries() : []) {
      top += this.#heights.measured(id);
      const element = top > view.top ? this.#drawn.get(id)?.element : null;
      if (element) return { id, first, index: this.#from + at, top: element.getBoundingClientRect().top };
    }
    return null;
  }

  /**
   * The place of a row that was drawn. If it was put into a group since, that of the group.
   * @param {{ id: number, first: number, index: number }} anchor
   */
  #indexOf({ id, first, index }) {
    if (this.#rows[index]?.id === id) return index;
    const found = this.#rows.findIndex((row) => row.id === id);
    return found >= 0 ? found : this.#rows.findIndex((row) => row.first <= first && first <= row.last);
  }

  /**
   * The row from which the rows before `index` fill this many pixels.
   * @param {number} index
   * @param {number} pixels
   */
  #startAbove(index, pixels) {
    let from = index;
    for (let sum = 0; from > 0 && sum < pixels && index - from < RENDERED_LIMIT / 2; from -= 1) sum += this.#heights.at(from - 1);
    return from;
  }

  /** @param {number} top */
  #indexAt(top) {
    let sum = 0;
    for (let index = 0; index < this.#rows.length; index += 1) {
      sum += this.#heights.at(index);
      if (sum > top) return index;
    }
    return this.#rows.length;
  }

  /**
   * Draws the rows from `from` on, until two and a half viewports are full below the row in view. A row can be higher than that.
   * @param {number} from
   * @param {number} inView The first visible row.
   */
  #place(from, inView) {
    const limit = this.element.clientHeight * 2.5;
    let to = from;
    for (let sum = 0; to < this.#rows.length && sum < limit && to - from < RENDERED_LIMIT; to += 1) {
      if (to > inView) sum += this.#heights.at(to);
    }
    if (this.isAtEnd) {
      to = this.#rows.length;
      from = Math.max(from, to - RENDERED_LIMIT);
    }
    this.#heights.moveWindow(from, to);
    this.#from = from;
    this.#to = to;
    this.#shown = this.#rows.slice(from, to);
    const drawn = this.#reconcile(this.#shown);
    for (const element of drawn) this.#heights.set(Number(element.dataset.row), element.getBoundingClientRect().height);
    this.#top.style.height = `${Math.round(this.#heights.above)}px`;
    this.#bottom.style.height = `${Math.round(this.#heights.below)}px`;
  }

  /**
   * Returns the elements that were drawn now.
   * @param {Row[]} rows
   */
  #reconcile(rows) {
    /** @type {HTMLElement[]} */ const drawn = [];
    const wanted = new Set(rows.map((row) => row.id));
    for (const [id, { element }] of this.#drawn) {
      if (wanted.has(id)) continue;
      this.observer.unobserve(element);
      element.remove();
      this.#drawn.delete(id);
    }
    let next = this.#list.firstElementChild;
    for (const row of rows) {
      const { element: before, version } = this.#drawn.get(row.id) ?? {};
      const element = this.#upToDate(row);
      if (version !== row.version) drawn.push(element);
      // A row that was drawn again as another element has replaced the one that comes next.
      if (next && before === next) next = element;
      if (element === next) next = next.nextElementSibling;
      else this.#list.insertBefore(element, next);
    }
    return drawn;
  }

  /** @param {Row} row */
  #upToDate(row) {
    const drawn = this.#drawn.get(row.id);
    if (drawn && drawn.version === row.version) return drawn.element;
    const element = this.#draw(row, drawn?.element ?? null);
    element.dataset.row = String(row.id);
    if (drawn?.element !== element) this.observer.observe(element);
    if (drawn && drawn.element !== element) {
      this.observer.unobserve(drawn.element);
      const hadFocus = drawn.element.contains(document.activeElement);
      drawn.element.replaceWith(element);
      // The button that was pressed is gone. The keys then scroll.
      if (hadFocus) this.element.focus({ preventScroll: true });
    }
    this.#drawn.set(row.id, { element, version: row.version });
    return element;
  }

  #toBottom() {
    this.element.scrollTop = this.element.scrollHeight;
    this.#expectedTop = this.element.scrollTop;
    this.#endHeights = `${this.element.scrollHeight} ${this.element.clientHeight}`;
  }

  /** @param {number} pixels */
  #scrollBy(pixels) {
    if (Math.abs(pixels) < 1) return;
    this.element.scrollTop += pixels;
    this.#expectedTop = this.element.scrollTop;
  }
}
