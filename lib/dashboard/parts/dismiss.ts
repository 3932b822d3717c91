import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { address } from '../app/address.ts';

/**
 * Closes what has been opened over the page by Escape, by a press outside `around`, and by going to another place. After Escape the
 * focus is on what opened it: the element that `[aria-expanded]` marks within `around`.
 */
export const useDismiss = (around: { current: HTMLElement | null }, isOpen: boolean, close: () => void): void => {
  const held = useRef(close);
  held.current = close;
  const present = address.value;
  const openedAt = useRef(present);
  if (!isOpen) openedAt.current = present;
  useEffect(() => {
    if (isOpen && openedAt.current !== present) held.current();
  }, [present]);
  // Listens before the next paint, so that no press is missed.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const closeOnPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !around.current?.contains(target)) held.current();
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
      // The screen beneath goes back by the same key.
      event.preventDefault();
      held.current();
      around.current?.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    };
    addEventListener('pointerdown', closeOnPress);
    addEventListener('keydown', closeOnEscape, { capture: true });
    return () => {
      removeEventListener('pointerdown', closeOnPress);
      removeEventListener('keydown', closeOnEscape, { capture: true });
    };
  }, [isOpen]);
};
