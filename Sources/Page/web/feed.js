// The loaded stretch of one session's timeline: opened at its end or at a number, extended in both directions, bounded.

import { Timeline } from './timeline.js';

/** @typedef {import('./tinyvex.js').TinyvexClient} TinyvexClient */
/** @typedef {import('./tinyvex.js').SessionName} SessionName */

/** Entries that are read for the first paint, and for each further page. */
const FIRST_PAGE = 300;
const PAGE = 600;
/** The most bytes of rows. Beyond it the oldest are dropped while the reader is at the end; they can be loaded again. */
const SIZE_LIMIT = 24 * 1024 * 1024;
const SIZE_AFTER_TRIM = 16 * 1024 * 1024;
/** A single page is not read beyond this size. */
const PAGE_SIZE_LIMIT = 8 * 1024 * 1024;

/**
 * Reads the entries after one number up to another, once.
 * @param {TinyvexClient} client
 * @param {SessionName} session
 * @param {number} after
 * @param {number} until
 * @param {(n: number, entry: any) => boolean | void} onEntry Returns true to stop.
 * @param {(from: number, to: number, reason: string) => void} [onSkipped]
 * @returns {Promise<{ head: number, journal: string, last: number }>}
 */
export function readEntries(client, session, after, until, onEntry, onSkipped) {
  return new Promise((resolve, reject) => {
    let head = 0;
    let last = after;
    let journal = session.journal ?? '';
    /** @type {{ close(): void } | null} */ let stream = null;
    let isDone = false;
    const finish = () => {
      if (isDone) return;
      isDone = true;
      // The answer can come before `timeline` returns in no case: it needs the network.
      stream?.close();
      resolve({ head, journal, last });
    };
    const advance = (/** @type {number} */ to) => {
      last = to;
      if (to >= Math.min(until, head)) finish();
    };
    stream = client.timeline(session, {
      from: { seq: after, journal },
      until,
      onOpen: (opened) => {
        head = opened.headSeq;
        journal = opened.journal;
        if (opened.startSeq > Math.min(until, head)) finish();
      },
      onEntry: (n, entry) => {
        if (isDone || n > until) return finish();
        const stops = onEntry(n, entry) === true;
        advance(n);
        if (stops) finish();
      },
      onSkipped: (from, to, reason) => {
        if (isDone) return;
        onSkipped?.(from, Math.min(to, until), reason);
        advance(Math.min(to, until));
      },
      onError: (error) => { if (error.isFinal) { isDone = true; reject(error); } },
    });
  });
}

/**
 * The timeline's number of an update: other entries lie between updates, so it is searched by halves.
 * @param {TinyvexClient} client
 * @param {SessionName} session
 * @param {number} update
 */
export async function locateUpdate(client, session, update) {
  let low = update;
  const { head } = await readEntries(client, session, Number.MAX_SAFE_INTEGER, 0, () => { }).catch(() => ({ head: update }));
  let high = Math.max(low, head);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    let seq = Infinity;
    await readEntries(client, session, middle - 1, middle, (_n, entry) => { seq = entry.seq; });
    if (seq < update) low = middle + 1; else high = middle;
  }
  return low;
}

export class Feed {
  /** @type {Timeline} */ timeline;
  /** The numbers that are loaded: after `first - 1` up to `last`. */
  first = 1;
  last = 0;
  /** The newest number that the bridge has reported. */
  head = 0;
  isOpen = false;
  isFollowing = false;
  /** @type {any} */ ended = null;
  /** @type {string} */ fault = '';
  /** An entry could not be applied. Another try would fail, too. */
  isBroken = false;
  /** Entries that came after the page was opened; the view counts those that were not seen. */
  arrived = 0;
  #client;
  #session;
  #onChange;
  #isAtEnd;
  /** @type {any} */ #stream = null;
  #isClosed = false;
  /**
   * The page that is on its way: whether it has come.
   * @type {Promise<boolean> | null}
   */
  #loading = null;
  /** The number of times that the feed was opened. An earlier opening that still waits for the bridge is given up. */
  #openings = 0;
  #select;
  #page;
  #newTimeline;

  /**
   * @param {TinyvexClient} client
   * @param {SessionName} session
   * @param {object} view
   * @param {() => void} view.onChange
   * @param {() => boolean} view.isAtEnd
   * @param {(entry: any) => any} [view.select] The part of an entry that is kept; null for nothing. Without it, all is kept.
   * @param {number} [view.page] The entries of a further page.
   * @param {() => Timeline} [view.newTimeline]
   */
  constructor(client, session, { onChange, isAtEnd, select, page = PAGE, newTimeline = () => new Timeline() }) {
    this.#client = client;
    this.#session = session;
    this.#onChange = onChange;
    this.#isAtEnd = isAtEnd;
    this.#select = select;
    this.#page = page;
    this.#newTimeline = newTimeline;
    this.timeline = newTimeline();
  }

  get journal() { return this.#session.journal ?? ''; }

  /** Loads the end of the session and follows it. */
  async openAtEnd() {
    const isCurrent = this.#opening();
    try {
      const { head, journal } = await this.#head();
      if (!isCurrent()) return;
      this.#begin(journal, head, Math.max(0, head - FIRST_PAGE));
      this.#follow();
      if (head === 0) this.isOpen = true;
    } catch (error) {
      if (!isCurrent()) return;
      this.#fail(error);
    }
    this.#onChange();
  }

  /**
   * Loads the surroundings of a number, without following.
   * @param {number} number
   */
  async openAt(number) {
    const isCurrent = this.#opening();
    try {
      const { head, journal } = await this.#head();
      if (!isCurrent()) return;
      if (number > head - this.#page) {
        this.#begin(journal, head, Math.max(0, Math.min(number, head) - FIRST_PAGE));
        this.#follow();
      } else {
        this.#begin(journal, head, Math.max(0, number - FIRST_PAGE));
        await this.#loadAfter();
        if (!isCurrent()) return;
        this.isOpen = true;
      }
    } catch (error) {
      if (!isCurrent()) return;
      this.#fail(error);
    }
    this.#onChange();
  }

  /** Continues the loaded stretch after a fault: the bridge of the session could not be reached. */
  async openAgain() {
    this.fault = '';
    if (!this.isFollowing) { await this.loadLater(); return; }
    this.#stream?.close();
    this.#follow();
  }

  /** Loads the page before the loaded stretch, or waits for the page that is on its way. Returns whether one has come. */
  async loadEarlier() {
    if (this.#loading) return this.#loading;
    if (this.first <= 1 || !this.isOpen) return false;
    return this.#load(async (isCurrent) => {
      const until = this.first - 1;
      const after = Math.max(0, until - this.#page);
      const page = this.#newTimeline();
      await readEntries(this.#client, this.#session, after, until, (n, entry) => this.#append(page, n, entry),
        (from, to, reason) => this.#skip(page, from, to, reason));
      if (!isCurrent() || this.first !== until + 1) return false;
      this.timeline.prepend(page);
      this.first = after + 1;
      return true;
    });
  }

  /** Loads the page after the loaded stretch, or follows if that was the last one. */
  async loadLater() {
    if (this.#loading || this.isFollowing || !this.isOpen) return;
    await this.#load(async (isCurrent) => {
      await this.#loadAfter();
      if (isCurrent() && this.last >= this.head) this.#follow();
      return isCurrent();
    });
  }

  /**
   * Loads one page at a time.
   * @param {(isCurrent: () => boolean) => Promise<boolean>} work Gets a function that tells whether the page still belongs to the rows.
   */
  #load(work) {
    const { timeline } = this;
    const isCurrent = () => !this.#isClosed && timeline === this.timeline;
    this.#loading = work(isCurrent).catch((error) => {
      if (isCurrent()) this.#fail(error);
      return false;
    }).finally(() => {
      this.#loading = null;
      if (!this.#isClosed) this.#onChange();
    });
    return this.#loading;
  }

  /**
   * The entry with a number, whole.
   * @param {number} number
   * @returns {Promise<any>}
   */
  async entry(number) {
    let found = null;
    await readEntries(this.#client, this.#session, number - 1, number, (_n, entry) => { found = entry; });
    return found;
  }

  close() {
    this.#isClosed = true;
    this.#stop();
  }

  /** Begins another opening. Returns a function that tells whether it is still the last one. */
  #opening() {
    this.#stop();
    this.fault = '';
    if (this.timeline.rows.length === 0) this.isOpen = false;
    this.#openings += 1;
    const own = this.#openings;
    return () => !this.#isClosed && own === this.#openings;
  }

  #stop() {
    this.#stream?.close();
    this.#stream = null;
    this.isFollowing = false;
  }

  /** @param {unknown} error */
  #fail(error) {
    this.fault = error instanceof Error ? error.message : String(error);
    this.isOpen = true;
  }

  /** @returns {Promise<{ head: number, journal: string }>} */
  #head() {
    return new Promise((resolve, reject) => {
      const stream = this.#client.timeline(this.#session, {
        onEntry: () => { },
        onOpen: ({ headSeq, journal }) => { queueMicrotask(() => stream.close()); resolve({ head: headSeq, journal }); },
        onError: (error) => { if (error.isFinal) reject(error); },
      });
    });
  }

  /** @param {string} journal @param {number} head @param {number} after */
  #begin(journal, head, after) {
    this.#session = { ...this.#session, journal };
    Object.assign(this, { timeline: this.#newTimeline(), first: after + 1, last: after, head });
    Object.assign(this, { ended: null, fault: '', isOpen: false, isBroken: false });
  }

  async #loadAfter() {
    const page = this.timeline;
    const from = page.size;
    const { head } = await readEntries(this.#client, this.#session, this.last, this.last + this.#page, (n, entry) => {
      if (page !== this.timeline) return true;
      this.#append(page, n, entry);
      this.last = n;
      return page.size - from > PAGE_SIZE_LIMIT;
    }, (low, high, reason) => {
      if (page !== this.timeline) return;
      this.#skip(page, low, high, reason);
      this.last = high;
    });
    if (page !== this.timeline) return;
    this.head = Math.max(this.head, head);
    const first = this.timeline.size > SIZE_LIMIT ? this.timeline.trim(SIZE_AFTER_TRIM) : null;
    if (first) this.first = first;
  }

  #follow() {
    this.isFollowing = true;
    const firstHead = this.head;
    this.#stream = this.#client.timeline(this.#session, {
      from: { seq: this.last, journal: this.journal },
      policy: 'merge',
      onOpen: ({ headSeq }) => {
        this.head = Math.max(headSeq, this.last);
        if (this.last >= headSeq) this.isOpen = true;
        this.#onChange();
      },
      onEntry: (n, entry) => {
        this.#append(this.timeline, n, entry);
        if (n > firstHead) this.arrived += 1;
        this.#advance(n);
      },
      onSkipped: (from, to, reason) => { this.#skip(this.timeline, from, to, reason); this.#advance(to); },
      onReset: (start) => { this.timeline.dropFrom(start); this.last = start - 1; this.#onChange(); },
      onEnded: (end) => { this.ended = end; this.isOpen = true; this.#onChange(); },
      onError: (error) => {
        this.fault = error.message;
        // What has come can be read, and continued.
        if (error.isFinal) Object.assign(this, { isFollowing: false, isOpen: true, isBroken: error.code === 'handler' });
        this.#onChange();
      },
    });
  }

  /** @param {Timeline} timeline @param {number} n @param {any} entry */
  #append(timeline, n, entry) {
    const kept = this.#select ? this.#select(entry) : entry;
    if (kept) timeline.append(n, kept);
  }

  /** @param {Timeline} timeline @param {number} from @param {number} to @param {string} reason */
  #skip(timeline, from, to, reason) {
    // The entry that has the text of those that were merged can be one that is not kept.
    if (!this.#select || reason !== 'merge') timeline.skip(from, to, reason);
  }

  /** @param {number} n */
  #advance(n) {
    this.last = n;
    this.ended = null;
    this.fault = '';
    this.head = Math.max(this.head, n);
    if (n >= this.head) this.isOpen = true;
    if (this.timeline.size > SIZE_LIMIT) this.#bound();
    this.#onChange();
  }

  #bound() {
    if (this.#isAtEnd()) {
      this.first = this.timeline.trim(SIZE_AFTER_TRIM) ?? this.first;
    } else if (this.timeline.size > 2 * SIZE_LIMIT) {
      // The reader looks at something earlier: nothing is dropped under their eyes, and nothing more is loaded.
      this.#stop();
    }
  }
}
