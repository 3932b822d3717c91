import { openFrame } from './frame-host.ts';
import { dress } from './look.ts';
import type { Call } from './options.ts';
import type { Labels, WindowSize } from './v1.d.ts';

export const usualLabels: Labels = {
  title: 'Confirm it is you',
  frame: 'Your bank',
  waiting: 'Your bank wants to know that it is you.',
  cancel: 'Cancel',
  confirm: 'Stop here? The payment will not be made.',
  stop: 'Stop',
  goOn: 'Go on',
};

type Shown = {
  labels: Labels;
  size: WindowSize;
  /** Where it stands; absent: in a dialog over the page. */
  container: HTMLElement | undefined;
  /** The issuer says that it is done. */
  onDone: () => void;
  /** The payer wants to stop, and was asked whether they mean it. */
  onCancel: () => void;
};

const make = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  change: Partial<HTMLElementTagNameMap[K]>,
  ...children: Node[]
): HTMLElementTagNameMap[K] => {
  const element = Object.assign(document.createElement(name), change);
  element.append(...children);
  return element;
};

/** The question whether the payer means it. `ask` shows it; who asks again while it is shown means it. */
const question = (labels: Labels, onStop: () => void, onGoOn: () => void): { box: HTMLElement; ask: () => void } => {
  const stop = make('button', { type: 'button', textContent: labels.stop });
  const goOn = make('button', { type: 'button', className: 'strong', textContent: labels.goOn });
  const text = make('p', { textContent: labels.confirm, id: 'ask' });
  const box = make('div', { className: 'ask', hidden: true }, text, make('div', {}, goOn, stop));
  box.setAttribute('role', 'alertdialog');
  box.setAttribute('aria-labelledby', 'ask');
  stop.addEventListener('click', onStop);
  goOn.addEventListener('click', () => {
    box.hidden = true;
    onGoOn();
  });
  const ask = (): void => {
    if (box.hidden) {
      box.hidden = false;
      goOn.focus();
    } else onStop();
  };
  return { box, ask };
};

type Parts = { box: HTMLElement; room: HTMLElement; live: HTMLElement; ask: () => void };

/** Lets the keyboard scroll an issuer's page that is larger than its container. */
const letKeysScroll = (room: HTMLElement): void => {
  new ResizeObserver(() => {
    const isLarger = room.scrollWidth > room.clientWidth || room.scrollHeight > room.clientHeight;
    if (isLarger) room.tabIndex = 0;
    else room.removeAttribute('tabindex');
  }).observe(room);
};

/** Title, a way to stop, and room for the issuer's page. */
const partsOf = (labels: Labels, onCancel: () => void): Parts => {
  const cancel = make('button', { type: 'button', textContent: labels.cancel });
  const title = make('h2', { textContent: labels.title, id: 'title' });
  const room = make('div', { className: 'room', role: 'group', ariaLabel: labels.frame });
  letKeysScroll(room);
  const live = make('p', { className: 'live' });
  live.setAttribute('aria-live', 'polite');
  const { box: asked, ask } = question(labels, onCancel, () => cancel.focus());
  cancel.addEventListener('click', ask);
  const box = make('div', { className: 'box' }, make('header', {}, title, cancel), asked, live, room);
  return { box, room, live, ask };
};

/** A dialog over the page. Answers how to close it. */
const openDialog = ({ box, ask }: Parts, root: ShadowRoot, size: WindowSize, onCancel: () => void): (() => void) => {
  const dialog = make('dialog', { className: size === '05' ? 'full' : '' }, box);
  dialog.setAttribute('aria-labelledby', 'title');
  root.append(dialog);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    ask();
  });
  // A browser closes a dialog by a second Escape whatever a page says.
  dialog.addEventListener('close', onCancel);
  dialog.showModal();
  return () => {
    dialog.removeEventListener('close', onCancel);
    dialog.close();
  };
};

/** Shows the issuer's page. Answers how to take it away again, which gives the focus back to where it was. */
export const showChallenge = (call: Call, { labels, size, container, onDone, onCancel }: Shown): (() => void) => {
  const opener = document.activeElement;
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  dress(root, host, size);
  const parts = partsOf(labels, onCancel);
  (container ?? document.body).append(host);
  let closeDialog = (): void => undefined;
  if (container) {
    parts.box.setAttribute('role', 'group');
    parts.box.setAttribute('aria-labelledby', 'title');
    root.append(parts.box);
  } else closeDialog = openDialog(parts, root, size, onCancel);
  const closeFrame = openFrame(call, 'challenge', {
    parent: parts.room,
    title: labels.frame,
    heard: (signal) => {
      if (signal === 'done') onDone();
    },
  });
  parts.live.textContent = labels.waiting;
  // The container may be outside of the payer's view.
  if (container) host.scrollIntoView({ block: 'nearest' });
  return () => {
    closeFrame();
    closeDialog();
    host.remove();
    if (opener instanceof HTMLElement) opener.focus();
  };
};
