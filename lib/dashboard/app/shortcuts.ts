import { useLayoutEffect, useRef } from 'preact/hooks';
import { hasShortcuts } from './preferences.ts';

/** Every key that does something, once: the help lists these, and nothing else listens to keys. */
export const shortcuts = {
  next: { keys: 'j', label: 'Next row' },
  previous: { keys: 'k', label: 'Previous row' },
  open: { keys: 'Enter', label: 'Open the row' },
  select: { keys: 'x', label: 'Select or deselect the row' },
  selectRange: { keys: 'X', label: 'Select from the last selected row to this one' },
  refundNow: { keys: '1', label: 'Refund and notify the network' },
  already: { keys: '2', label: 'Already refunded elsewhere' },
  decline: { keys: '3', label: 'Decline with evidence' },
  answer: { keys: 'e', label: 'Answer with any reason' },
  refund: { keys: 'r', label: 'Refund another amount' },
  inProgress: { keys: 'w', label: 'Mark as in progress' },
  note: { keys: 'n', label: 'Write a note' },
  undo: { keys: 'z', label: 'Undo the last answer' },
  sendNow: { keys: 's', label: 'Send the last answer now' },
  replay: { keys: 'p', label: 'Replay the notification' },
  search: { keys: '/', label: 'Search' },
  filter: { keys: 'f', label: 'Filter' },
  goHome: { keys: 'g h', label: 'Go to Home' },
  goQueue: { keys: 'g q', label: 'Go to the queue' },
  goDeliveries: { keys: 'g d', label: 'Go to deliveries' },
  goRules: { keys: 'g r', label: 'Go to rules' },
  goPayments: { keys: 'g p', label: 'Go to payments' },
  goReports: { keys: 'g s', label: 'Go to reports' },
  help: { keys: '?', label: 'Help' },
  back: { keys: 'Escape', label: 'Back, or close' },
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

const nameOf = (keys: string): ShortcutName | undefined =>
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
    const name = nameOf(keys);
    // Enter belongs to the link or button that has the focus.
    if (!name || name === 'open') return;
    const handler = listening.map(({ current }) => current[name]).find((one) => one !== undefined);
    if (!handler) return;
    event.preventDefault();
    handler();
  });
};
