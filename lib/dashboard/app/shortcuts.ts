import { useLayoutEffect, useRef } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { hasShortcuts } from './preferences.ts';

/** Every key that does something, once: the help lists these, and nothing else listens to keys. */
export const shortcuts = {
  next: { keys: 'j', label: translate('Next row') },
  previous: { keys: 'k', label: translate('Previous row') },
  open: { keys: 'Enter', label: translate('Open the row') },
  select: { keys: 'x', label: translate('Select or deselect the row') },
  selectRange: { keys: 'X', label: translate('Select from the last selected row to this one') },
  refundNow: { keys: '1', label: translate('Refund and notify the network') },
  already: { keys: '2', label: translate('Already refunded elsewhere') },
  decline: { keys: '3', label: translate('Decline with evidence') },
  answer: { keys: 'e', label: translate('Answer with any reason') },
  refund: { keys: 'r', label: translate('Refund another amount') },
  inProgress: { keys: 'w', label: translate('Mark as in progress') },
  take: { keys: 'a', label: translate('Assign the alert to me') },
  note: { keys: 'n', label: translate('Write a note') },
  undo: { keys: 'z', label: translate('Undo the last answer') },
  sendNow: { keys: 's', label: translate('Send the last answer now') },
  replay: { keys: 'p', label: translate('Replay the notification') },
  search: { keys: '/', label: translate('Search') },
  filter: { keys: 'f', label: translate('Filter') },
  goHome: { keys: 'g h', label: translate('Go to Home') },
  goQueue: { keys: 'g q', label: translate('Go to the queue') },
  goDeliveries: { keys: 'g d', label: translate('Go to deliveries') },
  goRules: { keys: 'g r', label: translate('Go to rules') },
  goPayments: { keys: 'g p', label: translate('Go to payments') },
  goReports: { keys: 'g s', label: translate('Go to reports') },
  help: { keys: '?', label: translate('Help') },
  back: { keys: 'Escape', label: translate('Back, or close') },
} as const;

type ShortcutName = keyof typeof shortcuts;
type Handlers = Partial<Record<ShortcutName, () => void>>;

/** The innermost screen's come first. */
const listening: { current: Handlers }[] = [];

/** Lets a screen or a part answer to some of the keys while it is shown. */
export const useShortcuts = (handlers: Handlers): void => {
  const held = useRef(handlers);
  held.current = handlers;
  // Before the next frame: a key pressed as soon as its button is seen must do what it says.
  useLayoutEffect(() => {
    listening.unshift(held);
    return () => void listening.splice(listening.indexOf(held), 1);
  }, []);
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

/** A checkbox is no place where one types. */
const isCheckbox = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === 'checkbox';

const findShortcut = (keys: string): ShortcutName | undefined =>
  (Object.keys(shortcuts) as ShortcutName[]).find((name) => shortcuts[name].keys === keys);

/** Listens to keys; never with Ctrl, Alt or Meta, nor in a text field, nor over a dialog. To be called once. */
export const followKeys = (): void => {
  let prefix = '';
  addEventListener('keydown', (event) => {
    if (!hasShortcuts.value || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (isTyping(event.target) && !isCheckbox(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const keys = prefix + event.key;
    prefix = event.key === 'g' && prefix === '' ? 'g ' : '';
    const name = findShortcut(keys);
    // Enter belongs to the link or button that has the focus.
    if (!name || name === 'open') return;
    const handler = listening.map(({ current }) => current[name]).find((one) => one !== undefined);
    if (!handler) return;
    event.preventDefault();
    handler();
  });
};
