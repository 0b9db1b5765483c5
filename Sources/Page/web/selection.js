// Several sessions of the list are chosen and archived in one step.

import { announce, h, iconButton, toast } from './dom.js';
import { descendants } from './order.js';
import { plural } from './text.js';

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./order.js').SessionRow} SessionRow */
/** @typedef {import('./order.js').ListedSession} ListedSession */

/** A finger that stays in its place for this long chooses the session. */
const PRESS_MS = 500;
/** A finger that moves further, in pixels, scrolls. */
const PRESS_MOVE = 10;

/**
 * @param {Store} store
 * @param {HTMLElement} items The list. Each session is a link with a `data-key`.
 * @param {(session: ListedSession) => string} keyOf
 */
export function selection(store, items, keyOf) {
  let isOn = false;
  /** Counts the selections: one that has ended must not continue in the next one. */
  let number = 0;
  /** @type {Set<string>} */ const chosen = new Set();
  /** @type {ListedSession[]} */ let listed = [];
  const canSelect = () => store.canControl && !store.isShared;

  const count = h('span', { role: 'status' });
  const ended = h('button.load', { type: 'button', onclick: () => chooseEnded() });
  const act = h('button.primary', { type: 'button', onclick: () => archiveChosen() });
  const bar = h('div.select-bar', { role: 'group', 'aria-label': 'Chosen sessions', hidden: true }, count, ended, act,
    iconButton('close', 'End choosing', () => end()));
  const button = iconButton('list', 'Choose sessions', () => { if (isOn) end(); else begin(); },
    { 'aria-pressed': 'false', hidden: true });
  const endedOnes = () => listed.filter((one) => one.group === 'ended' && one.section === 'ended' && !chosen.has(keyOf(one)));

  function begin() {
    if (!canSelect()) return;
    isOn = true;
    number += 1;
    ended.disabled = false;
    draw(listed);
  }

  function end() {
    const hadFocus = bar.contains(document.activeElement);
    isOn = false;
    chosen.clear();
    draw(listed);
    if (hadFocus) button.focus();
  }

  /** The ended sessions that are not loaded yet are loaded first, as far as the list can have them. */
  async function chooseEnded() {
    const own = number;
    const isPresent = () => isOn && number === own;
    ended.disabled = true;
    try {
      while (isPresent() && store.canLoadMore) await store.loadMore();
    } catch (error) {
      if (isPresent()) toast(/** @type {Error} */(error).message, { isFault: true });
    }
    if (!isPresent()) return;
    ended.disabled = false;
    listed = store.sessions;
    for (const one of endedOnes()) chosen.add(keyOf(one));
    draw(listed);
  }

  /** @param {HTMLElement} link */
  function toggle(link) {
    const key = link.dataset.key ?? '';
    if (!isOn) begin();
    if (!isOn) return;
    if (!chosen.delete(key)) chosen.add(key);
    draw(listed);
  }

  /**
   * Brings the links and the bar up to date. The links stay, because one of them can have the focus.
   * @param {ListedSession[]} sessions
   */
  function draw(sessions) {
    listed = sessions;
    const known = new Set(listed.map(keyOf));
    for (const key of chosen) if (!known.has(key)) chosen.delete(key);
    items.classList.toggle('selecting', isOn);
    items.classList.toggle('selectable', canSelect());
    for (const link of /** @type {NodeListOf<HTMLElement>} */ (items.querySelectorAll('a.session'))) {
      if (!isOn) { link.removeAttribute('role'); link.removeAttribute('aria-checked'); continue; }
      link.setAttribute('role', 'checkbox');
      link.setAttribute('aria-checked', String(chosen.has(link.dataset.key ?? '')));
    }
    button.hidden = !canSelect() || listed.length === 0;
    button.setAttribute('aria-pressed', String(isOn));
    bar.hidden = !isOn;
    const text = chosen.size === 0 ? 'None chosen' : `${chosen.size.toLocaleString('en')} chosen`;
    if (count.textContent !== text) count.textContent = text;
    const rest = isOn ? endedOnes().length : 0;
    ended.hidden = rest === 0 && !store.canLoadMore;
    // The number of those that are not loaded is not known.
    ended.textContent = `All ended (${rest}${store.nextCursor ? '+' : ''})`;
    act.textContent = store.showsArchived ? 'Unarchive' : 'Archive';
    act.disabled = chosen.size === 0;
  }

  function archiveChosen() {
    const rows = listed.filter((one) => chosen.has(keyOf(one))).map(({ row }) => row);
    end();
    archive([...new Set(rows.flatMap((row) => [row, ...descendants(listed, row)]))], !store.showsArchived);
  }

  /** @param {SessionRow[]} rows @param {boolean} archived @param {boolean} [isUndo] */
  async function archive(rows, archived, isUndo = false) {
    const outcomes = await Promise.allSettled(rows.map(({ sessionId, agent, journal }) =>
      store.client?.mutate('sessions:archive', { sessionId, agent, ...(journal && { journal }), archived })));
    const done = rows.filter((_, at) => outcomes[at].status === 'fulfilled');
    const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason?.message ?? one.reason)] : []));
    const verb = archived ? 'archived' : 'unarchived';
    if (failed.length > 0) toast(`${plural(failed.length, 'session')} could not be ${verb}: ${failed[0]}`, { isFault: true });
    if (done.length > 0) {
      const work = () => archive(done, !archived, true);
      toast(`${plural(done.length, 'session')} ${verb}.`, isUndo ? {} : { action: { label: 'Undo', work } });
    }
  }

  items.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    const link = /** @type {HTMLElement | null} */ (target.closest('a.session'));
    if (!link || event.ctrlKey || event.metaKey) return;
    const isPressed = pressed === link;
    pressed = null;
    if (!isOn && !isPressed && !(target.matches('.dot') && canSelect())) return;
    event.preventDefault();
    if (!isPressed) toggle(link);
  });
  items.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('a.session'));
    const isKey = event.key === 'x' || (isOn && event.key === ' ');
    if (!link || !isKey || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    toggle(link);
  });

  /** The link that a finger has just chosen: the end of the press must not open it. */
  /** @type {HTMLElement | null} */ let pressed = null;
  let timer = 0;
  let isFinger = false;
  let start = { x: 0, y: 0 };
  items.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('a.session'));
    clearTimeout(timer);
    pressed = null;
    isFinger = event.pointerType === 'touch';
    start = { x: event.clientX, y: event.clientY };
    if (link && isFinger && canSelect()) timer = window.setTimeout(() => { pressed = link; toggle(link); announce('Chosen.'); }, PRESS_MS);
  });
  items.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > PRESS_MOVE) clearTimeout(timer);
  });
  for (const name of ['pointerup', 'pointercancel']) items.addEventListener(name, () => clearTimeout(timer));
  // A browser's menu of the link would come at the same time.
  items.addEventListener('contextmenu', (/** @type {Event} */ event) => { if (isFinger && canSelect()) event.preventDefault(); });

  return {
    bar, button, draw, begin,
    /** Ends choosing. Returns false if nothing was being chosen. */
    escape() {
      if (!isOn) return false;
      end();
      return true;
    },
  };
}
