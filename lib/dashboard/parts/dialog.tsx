import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { CloseIcon } from './icons.tsx';

type DialogProps = {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  isWide?: boolean;
  /** A form of its own, such as that of the search, whose title is only read out. */
  look?: 'finder';
  /** True if it must be answered: it cannot be closed. */
  isFirm?: boolean;
};

/** Focuses the first field of a dialog, or its first button if it has no field. */
export const focusFirstField = (dialog: HTMLDialogElement): void => {
  const inside = dialog.querySelector('.inside');
  const field = inside?.querySelector<HTMLElement>('input:not([type="hidden"], [readonly]), select, textarea');
  (field ?? inside?.querySelector<HTMLElement>('button, a'))?.focus();
};

/** The browser's own dialog: it keeps the focus within, closes with Escape and gives the focus back. */
export const Dialog = ({ title, onClose, children, isWide = false, isFirm = false, look }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    // Browsers focus the first focusable element, which is the close button.
    if (dialog) focusFirstField(dialog);
    return () => {
      isGone.current = true;
      // While it is open, nothing else on the page can get the focus; and one that is only removed returns it to no element.
      dialog?.close();
      // Once those that go with it are gone as well: while one is open, what is beneath gets no focus.
      queueMicrotask(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus();
        // If the element that opened it no longer exists, the title of the screen gets the focus.
        if (document.activeElement === document.body) document.querySelector<HTMLElement>('#main h1')?.focus();
      });
    };
  }, []);
  const close = () => {
    if (isGone.current) return;
    // Browsers close a dialog at the second Escape whatever is said: one that must be answered opens again.
    if (isFirm) ref.current?.showModal();
    else onClose();
  };
  return (
    <dialog ref={ref} class={look ?? (isWide ? 'wide' : '')} aria-labelledby={id} onClose={close}>
      <div class="title">
        <h2 id={id}>{title}</h2>
        {!isFirm && (
          <button type="button" class="bare" aria-label={translate('Close')} onClick={onClose}>
            <CloseIcon />
          </button>
        )}
      </div>
      <div class="inside">{children}</div>
    </dialog>
  );
};
