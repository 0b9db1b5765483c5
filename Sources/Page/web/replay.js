// Plays a session again with its original timing.

import { h, icon, iconButton, perFrame, replace } from './dom.js';
import { readEntries } from './feed.js';
import { drawRow } from './rows.js';
import { Scroller } from './scroller.js';
import { clock } from './text.js';
import { Timeline } from './timeline.js';

/** A pause of the session is shortened to this, at normal speed. */
const LONGEST_PAUSE_MS = 2000;
/** Entries that are read ahead. */
const AHEAD = 400;
const SPEEDS = [1, 4, 16, 64];

/**
 * @param {import('./tinyvex.js').TinyvexClient} client
 * @param {import('./tinyvex.js').SessionName} session
 * @param {import('./rows.js').RowContext} context
 * @param {() => void} onClose
 */
export function replayView(client, session, context, onClose) {
  let timeline = new Timeline();
  /** @type {{ n: number, entry: any }[]} */ let buffer = [];
  let read = 0;
  let played = 0;
  let head = 1;
  let speed = 4;
  let isPlaying = true;
  let isReading = false;
  let isClosed = false;
  /** @type {any} */ let timer = null;
  let lastTs = 0;

  const scroll = h('div.scroll', { tabindex: '0', role: 'region', 'aria-label': 'Replay' });
  const scroller = new Scroller(scroll, {
    draw: (row, earlier) => drawRow(row, earlier,
      {
        ...context, onRetry: undefined,
        asks: { ...context.asks, refusal: () => 'Requests are not answered in a replay.' },
      }), onScroll: () => { }
  });
  const draw = perFrame(() => {
    scroller.rows = timeline.rows; place.value = String(played); time.textContent = lastTs ? clock(lastTs)
      : '';
  });
  const isAtEnd = () => buffer.length === 0 && read >= head;
  const toggle = h('button.icon-button', {
    type: 'button', onclick: () => {
      const isOver = !isPlaying && isAtEnd();
      isPlaying = !isPlaying;
      drawToggle();
      if (isOver) seek(1); else next();
    },
  });
  const drawToggle = () => {
    replace(toggle, icon(isPlaying ? 'pause' : 'play')); toggle.setAttribute('aria-label',
      isPlaying ? 'Pause' : 'Play');
  };
  const place = h('input', { type: 'range', min: 0, max: 1, value: '0', 'aria-label': 'Place in the session' });
  const time = h('time.dim');
  const speeds = h('select',
    { 'aria-label': 'Speed', onchange: (/** @type {any} */ event) => { speed = Number(event.target.value); next(); } },
    SPEEDS.map((value) => h('option', { value, selected: value === speed }, `${value}×`)));
  const element = h('div.replay', null, scroll,
    h('div.replay-bar', { role: 'group', 'aria-label': 'Replay' }, toggle, place, time, speeds,
      iconButton('close', 'End replay', () => end())));
  place.addEventListener('change', () => seek(Number(place.value)));

  async function fill() {
    if (isReading || isClosed || buffer.length > AHEAD / 2 || read >= head) return;
    isReading = true;
    const from = read;
    try {
      const end = await readEntries(client, session, from, from + AHEAD, (n, entry) => { buffer.push({ n, entry }); read = n; },
        (_from, to) => { read = Math.max(read, to); });
      head = Math.max(end.head, 1);
      place.setAttribute('max', String(head));
    } finally {
      isReading = false;
    }
    next();
  }

  function next() {
    clearTimeout(timer);
    if (isClosed || !isPlaying) return;
    fill();
    const first = buffer[0];
    if (!first) return;
    const pause = lastTs > 0 ? Math.min(Math.max(0, first.entry.ts - lastTs), LONGEST_PAUSE_MS) / speed : 0;
    timer = setTimeout(() => {
      step();
      if (isAtEnd()) { isPlaying = false; drawToggle(); } else next();
    }, pause);
  }

  function step() {
    // Entries of one moment are drawn together.
    const first = buffer[0];
    while (buffer.length > 0 && buffer[0].entry.ts - first.entry.ts < 8 * speed) {
      const { n, entry } = /** @type {{ n: number, entry: any }} */ (buffer.shift());
      timeline.append(n, entry);
      played = n;
      lastTs = entry.ts;
    }
    if (timeline.size > 8_000_000) timeline.trim(6_000_000);
    draw();
  }

  /** @param {number} number */
  function seek(number) {
    timeline = new Timeline();
    buffer = [];
    read = Math.max(0, number - 1);
    lastTs = 0;
    scroller.rows = [];
    next();
    fill();
  }

  function close() {
    isClosed = true;
    clearTimeout(timer);
    scroller.close();
  }

  function end() {
    close();
    onClose();
  }

  drawToggle();
  next();
  return { element, close, end, focus: () => toggle.focus() };
}
