// The composer: prompts with images, commands, modes and options; drafts that survive; the queue.

import { canBegin, drawStart, resumeSession, startOf } from './begin-session.js';
import { bridgeNow } from './bridge-clock.js';
import { openDialog } from './dialogs.js';
import { copyText } from './draw.js';
import { draftOf, storeDraft, takesFocusOnce } from './drafts.js';
import { announce, h, icon, iconButton, replace, toast } from './dom.js';
import { hasAgent, isOver } from './order.js';
import { editable, IMAGES, matched, senderOf, withoutArrived } from './outbox.js';
import { refusal } from './rights.js';
import { bytes, exact, plural, sessionName, shortened } from './text.js';
import { TinyvexError } from './tinyvex.js';

/** The bridge's limit of a message is 16 MiB; Base64 adds a third. */
const IMAGES_LIMIT = 10 * 1024 * 1024;
/** The most prompts that are shown while they wait, until a person asks for all. More leave no room for the conversation on a phone. */
const WAITING_LIMIT = 4;

const isTouch = () => matchMedia('(pointer: coarse)').matches;

/** @typedef {import('./outbox.js').Sent} Sent */

/**
 * @param {import('./store.js').Store} store
 * @param {{ sessionId: string, agent?: string }} session
 * @param {() => void} onSend
 */
export function composer(store, session, onSend) {
  /** @type {any} */ let facts = null;
  /** @type {{ mimeType: string, data: string, name: string, size: number }[]} */ let images = [];
  /** @type {Sent[]} */ let sent = [];
  let nextSent = 1;
  /** @type {import('./outbox.js').Waiting[]} */ let queue = [];

  const field = h('textarea', {
    rows: 1, dir: 'auto', placeholder: 'Send a prompt', 'aria-label': 'Prompt', enterkeyhint: 'enter', autocapitalize: 'sentences',
    value: draftOf(session.sessionId),
    'aria-autocomplete': 'list', 'aria-controls': 'commands',
  });
  const commands = h('ul.commands', { id: 'commands', role: 'listbox', 'aria-label': 'Commands', hidden: true });
  const attachments = h('div.attachments');
  const outboxElement = h('div.outbox', { 'aria-live': 'polite' });
  const options = h('div.composer-options');
  const file = h('input', {
    type: 'file', accept: 'image/png,image/jpeg,image/gif,image/webp', multiple: true, hidden: true,
    'aria-label': 'Images'
  });
  const sendButton = h('button.send', { type: 'submit', 'aria-label': 'Send' }, icon('send'));
  const stopButton = h('button.stop', { type: 'button', hidden: true });
  /** Whether the agent was asked to stop and has not stopped yet. A person can press the button again. */
  let isStopping = false;
  const drawStop = () => {
    stopButton.hidden = !isRunning();
    if (stopButton.hidden) isStopping = false;
    replace(stopButton, icon('stop'), isStopping ? 'Stopping…' : 'Stop');
    stopButton.setAttribute('aria-label', isStopping ? 'Stopping…' : 'Stop the turn');
  };
  const fieldRow = h('div.field-row', null, field);
  const attachButton = iconButton('attach', 'Attach images', () => file.click());
  const form = h('form.composer-form', null, commands, attachments,
    fieldRow, h('div.composer-row', null, attachButton, file, options, stopButton, sendButton));
  const notice = h('p.notice');
  // It is shown when the session is known. Its place is kept: otherwise the conversation would move under a press.
  const element = h('footer.composer.unknown', null, outboxElement, form, notice);

  const grow = () => {
    // The row keeps its height while the field is measured. Otherwise the browser scrolls the conversation away from its end.
    fieldRow.style.height = `${fieldRow.offsetHeight}px`;
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight + 2, window.innerHeight * 0.4)}px`;
    fieldRow.style.height = '';
  };
  /** A session of another bridge is found by its journal, because this bridge can have one of the same id. */
  const target = () => (facts?.bridge ? { ...session, agent: facts.agent, journal: facts.journal } : session);
  /** The capabilities are missing if they are not known. */
  const acceptsImages = () => facts?.promptCapabilities?.image !== false;
  const isRunning = () => hasAgent(facts) && (facts?.state === 'running' || facts?.turn?.state === 'running');

  const ownRow = (/** @type {Sent} */ item) => h(`div.sent.${item.state}`, null,
    h('span.sent-text', { dir: 'auto' }, shortened(item.text, 300)),
    h('span.dim', null, {
      sending: 'Sending…', queued: 'Queued', lost: 'The connection was lost while this was sent.', failed: item.message ?? '',
    }[item.state]),
    (item.state === 'lost' || item.state === 'failed') && [
      h('button.load', { type: 'button', onclick: () => again(item) }, 'Edit again'), iconButton('close', 'Discard', () => forget(item))]);

  const isOwn = (/** @type {any} */ waiting) => waiting.by === store.who && store.canControl;
  const waitingState = (/** @type {any} */ waiting) => (waiting.by === store.who ? 'Queued'
    : `Queued by ${store.author(String(waiting.by ?? 'another client'), facts)}`);
  const waitingRow = (/** @type {any} */ waiting) => {
    const text = exact(String(waiting.text ?? IMAGES));
    const button = (/** @type {string} */ label) => ({ 'aria-label': `${label}: ${shortened(text, 60)}` });
    return h(`div.sent.queued${isOwn(waiting) ? '.own' : ''}`, { 'data-queued': String(waiting.queuedTs) },
      h('span.sent-text', { dir: 'auto' }, shortened(text, 300)),
      h('span.dim', null, waitingState(waiting)),
      isOwn(waiting) && [
        h('button.load', { type: 'button', onclick: () => takeBack(waiting, true), ...button('Edit') }, 'Edit'),
        iconButton('close', 'Discard', () => takeBack(waiting, false), button('Discard'))]);
  };

  let drawnOutbox = '';
  /** Whether a person has asked for all prompts that wait. */
  let isUnfolded = false;
  const unfold = () => {
    isUnfolded = true;
    drawnOutbox = '';
    drawOutbox();
  };
  const drawOutbox = () => {
    const outbox = matched(sent, queue, isOver(facts), facts?.journal);
    sent = outbox.sent;
    // The agent works meanwhile, so this is called all the time. A new element would lose a press on it.
    const shape = JSON.stringify([queue, queue.map(isOwn), queue.map(waitingState), outbox.faults, outbox.open]);
    if (shape === drawnOutbox) return;
    drawnOutbox = shape;
    const waiting = [...queue.map(waitingRow), ...outbox.open.map(ownRow)];
    const more = waiting.length - WAITING_LIMIT;
    const focused = outboxElement.contains(document.activeElement) ? document.activeElement : null;
    const [row, label] = [focused?.closest('.sent')?.getAttribute('data-queued'), focused?.getAttribute('aria-label')];
    replace(outboxElement, ...outbox.faults.map(ownRow), ...waiting.slice(0, isUnfolded ? waiting.length : WAITING_LIMIT),
      !isUnfolded && more > 0 && h('button.load.more', { type: 'button', onclick: unfold }, `and ${plural(more, 'more prompt')}`));
    if (!focused) return;
    const same = row && label && outboxElement.querySelector(`[data-queued="${row}"] [aria-label="${CSS.escape(label)}"]`);
    // The keyboard of a touch screen would hide the conversation.
    (same || (isTouch() ? null : field))?.focus();
  };

  /** The prompts that are being taken back, by their times in the queue. */
  const takingBack = new Set();
  /**
   * Takes a waiting prompt out of the bridge's queue. Returns null if the bridge did not give it.
   * @param {import('./outbox.js').Waiting} waiting
   * @param {boolean} isKept Whether it goes back into the field.
   */
  const unqueued = async (waiting, isKept) => {
    const { queuedTs } = waiting;
    if (takingBack.has(queuedTs)) return null;
    takingBack.add(queuedTs);
    const item = senderOf(sent, waiting);
    if (item) item.isTakenBack = true;
    try {
      const { prompt } = /** @type {any} */ (await store.client?.action('sessions:unqueue', { ...target(), queuedTs }));
      queue = queue.filter((other) => other.queuedTs !== queuedTs);
      if (item) sent = sent.filter((other) => other !== item);
      return editable(prompt);
    } catch (error) {
      if (item) item.isTakenBack = false;
      toast(/** @type {Error} */(error).message, { isFault: true });
      // The bridge may have removed the prompt, and then nothing else has its text.
      const isLost = isKept && /** @type {any} */ (error).code === 'lost';
      return isLost ? { text: item?.text ?? waiting.text ?? '', images: [], isWhole: true } : null;
    } finally {
      takingBack.delete(queuedTs);
      drawOutbox();
    }
  };

  /** @param {import('./outbox.js').Waiting} waiting @param {boolean} isEdited */
  const takeBack = async (waiting, isEdited) => {
    const prompt = await unqueued(waiting, isEdited);
    if (!prompt) return;
    if (isEdited) { putBack(prompt); field.focus(); } else announce('Discarded.');
  };

  /**
   * Returns a function that throws if the connection is lost, or was since this call. A query waits for the next connection, and what
   * follows it must not happen then.
   */
  const steadyConnection = () => {
    const { since } = store.connection;
    return () => {
      if (store.connection.phase === 'live' && store.connection.since === since) return;
      throw new TinyvexError('There was no connection to the bridge, so the turn was not stopped. Stop it again when it is back.', 'lost');
    };
  };

  /**
   * Takes all prompts back that this person has waiting. Otherwise the agent would get them after the cancelled turn.
   * @param {() => void} checkConnection
   */
  const takeAllBack = async (checkConnection) => {
    // The bridge answers in order, so it has the prompts that are on their way.
    const isComplete = sent.every((item) => item.isAtBridge || item.state === 'failed' || item.state === 'lost');
    const fresh = isComplete ? null : await store.client?.query('sessions:get', { ...target(), toolCalls: false }).catch(() => null);
    checkConnection();
    // This finds the prompts of this page there, so that none of them is given back twice.
    if (Array.isArray(fresh?.queue)) { queue = fresh.queue; drawOutbox(); }
    const prompts = (await Promise.all(queue.filter(isOwn).map((one) => unqueued(one, true)))).flatMap((prompt) => prompt ?? []);
    for (const prompt of prompts.reverse()) putBack(prompt);
    return prompts.length;
  };

  const putBack = (/** @type {ReturnType<typeof editable>} */ prompt) => {
    field.value = [prompt.text, field.value].filter(Boolean).join('\n');
    images = [...prompt.images, ...images];
    if (!prompt.isWhole) toast('The prompt had parts other than text and images, which cannot be edited here. They are left out.');
    drawAttachments();
    changed();
  };

  const forget = (/** @type {Sent} */ item) => {
    sent = sent.filter((other) => other !== item);
    drawOutbox();
  };

  const again = (/** @type {Sent} */ item) => {
    sent = sent.filter((other) => other !== item);
    putBack({ text: item.text, images: [], isWhole: true });
    field.focus();
    drawOutbox();
  };

  const drawAttachments = () => replace(attachments, ...images.map((image, index) =>
    h('span.attached', null, `${image.name}, ${bytes(image.size)}`,
      iconButton('close', `Remove ${image.name}`, () => { images.splice(index, 1); drawAttachments(); changed(); }))));

  const changed = () => {
    storeDraft(session.sessionId, field.value);
    sendButton.disabled = isEmpty() || Boolean(startOf(session.sessionId));
    sendButton.setAttribute('aria-label', isRunning() ? 'Queue' : 'Send');
    grow();
    suggest();
  };

  /** @param {Iterable<File>} files */
  const attach = async (files) => {
    if (!acceptsImages()) { toast('This agent accepts no images.', { isFault: true }); return; }
    for (const chosen of files) {
      if (!/^image\/(png|jpeg|gif|webp)$/.test(chosen.type)) {
        toast(`${chosen.name} is not an image that agents accept.`,
          { isFault: true }); continue;
      }
      if (images.reduce((sum, image) => sum + image.size,
        chosen.size) > IMAGES_LIMIT) {
        toast(`Images of more than ${bytes(IMAGES_LIMIT)} cannot be sent in one prompt.`,
          { isFault: true }); break;
      }
      images.push({ mimeType: chosen.type, name: chosen.name || 'image', size: chosen.size, data: await base64(chosen) });
    }
    drawAttachments();
    changed();
  };

  /** Starts the agent of a session that has ended. The prompt stays in the field meanwhile, as it is. */
  const continued = async () => {
    field.readOnly = true;
    const isResumed = await resume();
    field.readOnly = false;
    return isResumed && !closing.signal.aborted;
  };

  const isEmpty = () => !field.value.trim() && images.length === 0;

  const send = async () => {
    if (isEmpty() || startOf(session.sessionId)) return;
    if (store.connection.phase !== 'live') { toast('There is no connection to the bridge. The draft is kept.', { isFault: true }); return; }
    if (isOver(facts) && (!await continued() || isEmpty())) return;
    const text = field.value.trim();
    const prompt = [...(text ? [{ type: 'text', text }] : []), ...images.map(({ mimeType, data }) => ({ type: 'image', mimeType, data }))];
    const item = /** @type {Sent} */ ({ id: nextSent++, text: text || IMAGES, state: isRunning() ? 'queued' : 'sending' });
    const attached = images;
    sent = [...sent, item].slice(-20);
    field.value = '';
    images = [];
    drawAttachments();
    changed();
    drawOutbox();
    announce(item.state === 'queued' ? 'Queued.' : 'Sent.');
    onSend();
    store.client?.action('sessions:prompt', { ...target(), prompt, queue: true }).then(
      () => forget(item),
      (error) => {
        if (item.isTakenBack) return forget(item);
        // The queue survives a connection, but not its bridge. The session's next state tells which.
        if (error.code === 'lost' && item.isAtBridge) return undefined;
        // The timeline has the prompt, and how its turn has ended.
        if (!sent.includes(item)) return undefined;
        Object.assign(item, error instanceof TinyvexError && error.code === 'lost' ? { state: 'lost' }
          : { state: 'failed', message: error.message });
        if (attached.length > 0) { images = attached; drawAttachments(); }
        return drawOutbox();
      });
  };

  let selected = -1;
  const matches = () => {
    const typed = /^\/([\w:.-]*)$/.exec(field.value)?.[1];
    if (typed === undefined || !Array.isArray(facts?.commands)) return [];
    return facts.commands.filter((/** @type {any} */ command) => String(command.name).startsWith(typed)).slice(0, 12);
  };
  const suggest = () => {
    const found = matches();
    commands.hidden = found.length === 0;
    if (selected >= found.length) selected = found.length - 1;
    if (found.length > 0 && selected < 0) selected = 0;
    field.setAttribute('aria-activedescendant', found.length > 0 ? `command-${selected}` : '');
    replace(commands, ...found.map((/** @type {any} */ command, /** @type {number} */ index) => h('li', {
      role: 'option', id: `command-${index}`, 'aria-selected': String(index === selected),
      onmousedown: (/** @type {Event} */ event) => { event.preventDefault(); complete(command); },
    }, h('strong', null, `/${exact(String(command.name))}`), h('span.dim', null,
      shortened(exact(String(command.description ?? '')), 120)))));
  };
  const complete = (/** @type {any} */ command) => {
    field.value = `/${command.name} `;
    selected = -1;
    changed();
  };

  field.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const found = matches();
    if (found.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      selected = (selected + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length;
      return suggest();
    }
    if (found.length > 0 && (event.key === 'Tab' || event.key === 'Enter') && field.value !== `/${found[selected]?.name}`) {
      event.preventDefault();
      return complete(found[Math.max(0, selected)]);
    }
    if (event.key === 'Escape' && !commands.hidden) { commands.hidden = true; event.stopPropagation(); return undefined; }
    // On a touch screen, Enter begins a line: there is a button beside it.
    if (event.key === 'Enter' && !event.isComposing && !event.shiftKey && (!isTouch() || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
    return undefined;
  });
  field.addEventListener('input', changed);
  field.addEventListener('paste',
    (/** @type {ClipboardEvent} */ event) => {
      if (!event.clipboardData?.files.length) return;
      event.preventDefault();
      attach(event.clipboardData.files);
    });
  element.addEventListener('dragover', (/** @type {Event} */ event) => event.preventDefault());
  element.addEventListener('drop', (/** @type {DragEvent} */ event) => {
    event.preventDefault(); attach(event.dataTransfer?.files
      ?? []);
  });
  file.addEventListener('change', () => { attach([...file.files ?? []]); file.value = ''; });
  form.addEventListener('submit', (/** @type {Event} */ event) => { event.preventDefault(); send(); });
  stopButton.addEventListener('click', async () => {
    const checkConnection = steadyConnection();
    isStopping = true;
    drawStop();
    try {
      checkConnection();
      const count = await takeAllBack(checkConnection);
      checkConnection();
      await store.client?.action('sessions:cancel', target());
      const left = sent.filter((item) => item.state === 'queued').length;
      if (count > 0) toast(`Stopping. ${plural(count, 'prompt')} that waited ${count === 1 ? 'is' : 'are'} in the field again.`);
      // Another bridge does not list what waits there.
      else if (left > 0 && facts?.bridge) {
        toast(`Stopping. ${plural(left, 'prompt')} can still run on ${exact(facts.bridge)}. Stop again to end each.`, { isFault: true });
      }
      else announce('Stopping.');
    } catch (error) {
      isStopping = false;
      drawStop();
      toast(/** @type {Error} */(error).message, { isFault: true });
    }
  });

  /** @param {Choice} choice @param {string} name @param {(fault: string) => void} report An empty text if there is none. */
  const optionSelect = ({ label, value, values, change }, name, report) => {
    /** The last value that the agent has accepted. */
    let accepted = value;
    const select = h(name, { 'aria-label': label, title: label, value },
      values.map((option) => h('option', { value: option.value, selected: option.value === value }, option.name)));
    const show = (/** @type {string} */ current) => { select.value = accepted = current; };
    select.addEventListener('change', async () => {
      const wanted = select.value;
      report('');
      try {
        await change(store, session.sessionId, wanted);
        accepted = wanted;
      } catch (error) {
        report(/** @type {Error} */(error).message);
        select.value = accepted;
      }
    });
    return { select, show };
  };
  const chosenText = h('span.summary-text');
  /** On a narrow screen, one button with what is chosen opens the options. */
  const optionsButton = h('button.option-sheet', { type: 'button', onclick: () => openOptions() },
    chosenText, h('span', { 'aria-hidden': 'true' }, '▾'));
  let drawnChoices = '';
  /** @type {ReturnType<typeof optionSelect>[]} */ let selects = [];
  /** A change of what is chosen is shown in place: a new element would lose the focus. */
  const drawOptions = () => {
    const all = choices(facts);
    const chosen = all.map(({ value, values }) => values.find((option) => option.value === value)?.name ?? value).join(' · ');
    chosenText.textContent = chosen;
    optionsButton.setAttribute('aria-label', `Options: ${chosen}`);
    const shape = JSON.stringify(all.map(({ id, label, values }) => [id, label, values]));
    if (shape === drawnChoices) { for (const [index, { value }] of all.entries()) selects[index].show(value); return; }
    drawnChoices = shape;
    selects = all.map((choice) => optionSelect(choice, 'select.option-select', (fault) => { if (fault) toast(fault, { isFault: true }); }));
    replace(options, ...selects.map(({ select }) => select), all.length > 0 && optionsButton);
  };
  const openOptions = () => {
    // The page behind the dialog is neither seen nor announced.
    const fault = h('p.error', { role: 'alert' });
    openDialog('Options', h('div.dialog-body', null, choices(facts).map((choice) => h('div.setting', null,
      h('span', { 'aria-hidden': 'true' }, choice.label),
      optionSelect(choice, 'select', (text) => { fault.textContent = text; }).select)), fault));
  };

  /** How the notice says that the session continues; empty if it has not ended. It is drawn once: a new button would lose a press. */
  let resumeShown = '';
  /** Whether this page can start the agent of a session that has ended. */
  const canResume = () => isOver(facts) && !facts.live && !facts.parentId && canBegin(store);
  const resume = () => {
    const { agent, journal, bridge } = facts ?? {};
    return resumeSession(store, { ...session, agent, journal, bridge }, sessionName({ ...session, ...facts }));
  };
  /** Whether the field gets the focus when it appears: a person has begun the session, or continued it by a button in its place. */
  let takesFocus = takesFocusOnce(session.sessionId) && !isTouch();
  const closing = new AbortController();
  let drawStarting = () => { };
  store.addEventListener('starts', () => { drawStarting(); changed(); }, { signal: closing.signal });
  const focusField = () => { takesFocus = false; field.focus(); };
  const drawResume = () => {
    // A subagent continues with the session above it.
    if (!canResume()) { replace(notice, 'This session has ended. ', resumeCommand(session.sessionId)); return; }
    const status = h('span', { role: 'status' });
    const button = h('button.load', { type: 'button' }, 'Continue without a prompt');
    const draw = () => {
      const start = startOf(session.sessionId);
      button.disabled = Boolean(start);
      if (start) drawStart(store, status, start); else replace(status, 'This session has ended.');
    };
    drawStarting = draw;
    draw();
    button.addEventListener('click', async () => {
      takesFocus = await resume();
      if (takesFocus && !form.hidden) focusField();
    });
    replace(notice, h('span.resume', null, status, button, h('details.resume-command', null, h('summary', null, 'In a terminal'),
      resumeCommand(session.sessionId))));
  };

  let drawnOptions = '';
  return {
    element,
    /**
     * A prompt of this text is on the timeline: it has arrived.
     * @param {string} text
     * @param {number} ts
     */
    arrived(text, ts) {
      const index = sent.findIndex((item) => item.text === text.trim());
      if (index >= 0) sent.splice(index, 1);
      queue = withoutArrived(queue, text, ts);
      drawOutbox();
    },
    /** @param {any} next The value of `sessions:get`. */
    draw(next) {
      if (next !== facts) queue = Array.isArray(next?.queue) ? next.queue : [];
      facts = next;
      const hasEnded = isOver(facts);
      const reason = !facts || hasEnded ? '' : refusal(store.canControl, facts, 'Sending prompts', bridgeNow());
      element.hidden = !facts;
      element.classList.remove('unknown');
      form.hidden = (hasEnded && !canResume()) || reason !== '';
      notice.hidden = !hasEnded && reason === '';
      const resumes = !hasEnded ? '' : canResume() ? 'by a prompt' : 'elsewhere';
      if (!hasEnded) notice.textContent = reason; else if (resumes !== resumeShown) drawResume();
      resumeShown = resumes;
      drawStop();
      attachButton.hidden = !acceptsImages();
      field.placeholder = isRunning() ? 'Queue a prompt' : hasEnded ? 'Send a prompt to continue' : 'Send a prompt';
      const shape = JSON.stringify([facts?.modes, facts?.currentModeId, facts?.configOptions, hasEnded]);
      if (shape !== drawnOptions) { drawnOptions = shape; drawOptions(); }
      drawOutbox();
      changed();
      if (takesFocus && !form.hidden) focusField();
    },
    focus() { field.focus(); },
    /**
     * Puts a text before what a person has written, once.
     * @param {string} text
     */
    write(text) {
      if (!field.value.startsWith(text)) putBack({ text, images: [], isWhole: true });
      field.focus();
      if (form.hidden) toast('The prompt is in the field, which appears when the session continues.');
    },
    close() { closing.abort(); },
  };
}

/**
 * How to continue a session without the page.
 * @param {string} id
 */
function resumeCommand(id) {
  // A blank or a quote in an id would end the word.
  if (id.startsWith('-') || exact(id) !== id) return 'To continue it, load it again in an editor.';
  const command = `acpbridge run --resume ${/^[\w.:-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`}`;
  return h('span', null, 'To continue it, load it again in an editor, or run in a terminal: ', h('span.resume', null,
    h('code', null, command), iconButton('copy', 'Copy the command', () => copyText(command))));
}

/**
 * @typedef {object} Choice A mode or an option of an agent.
 * @property {string} id
 * @property {string} label
 * @property {string} value
 * @property {{ value: string, name: string }[]} values
 * @property {(store: import('./store.js').Store, sessionId: string, value: string) => Promise<any>} change
 */

/**
 * The values with the present one, which an agent need not have listed: a list without it would show another one as chosen.
 * @param {{ value: string, name: string }[]} values @param {string} value
 */
function withPresent(values, value) {
  return !value || values.some((one) => one.value === value) ? values : [...values, { value, name: exact(value) }];
}

/**
 * The modes and options of an agent as lists to choose from.
 * @param {any} facts
 * @returns {Choice[]}
 */
function choices(facts) {
  /** @type {Choice[]} */ const result = [];
  // Requests of ACP reach the agents of the page's own bridge only.
  if (facts?.bridge || isOver(facts)) return result;
  const configOptions = Array.isArray(facts?.configOptions) ? facts.configOptions : [];
  const modes = facts?.modes?.availableModes;
  // Agents with a mode among their options list the modes twice.
  if (Array.isArray(modes) && modes.length > 1 && !configOptions.some((/** @type {any} */ option) => option?.category === 'mode')) {
    const value = String(facts.currentModeId ?? facts.modes.currentModeId ?? '');
    result.push({
      id: '', label: 'Mode', value,
      values: withPresent(modes.map((/** @type {any} */ mode) => ({ value: String(mode.id), name: exact(String(mode.name)) })), value),
      change: (store, sessionId, modeId) => /** @type {any} */(store.client).request('session/set_mode', { sessionId, modeId }),
    });
  }
  for (const option of configOptions.slice(0, 6)) {
    const id = option?.configId ?? option?.id;
    const values = (Array.isArray(option?.options) ? option.options : []).flatMap((/** @type {any} */ choice) =>
      choice?.options ?? [choice]);
    if (!id || values.length < 2) continue;
    const value = String(option.currentValue ?? '');
    const listed = values.slice(0, 200).map((/** @type {any} */ choice) => ({
      value: String(choice.value), name: exact(String(choice.name ?? choice.value))
    }));
    result.push({
      id: String(id), label: exact(String(option.name ?? id)), value, values: withPresent(listed, value),
      // Version 2, whose options have a configId, requires the type.
      change: (store, sessionId, value) => /** @type {any} */(store.client).request('session/set_config_option',
        { sessionId, configId: id, ...(option.configId ? { type: 'id' } : {}), value }),
    });
  }
  return result;
}

/** @param {Blob} blob @returns {Promise<string>} */
function base64(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
