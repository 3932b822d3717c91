import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { CloseIcon } from './icons.tsx';

type DialogProps = {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  isWide?: boolean;
  /** Whether it must be answered: it cannot be closed. */
  isFirm?: boolean;
};

/** The browser's own dialog: it keeps the focus within, closes with Escape and gives the focus back. */
export const Dialog = ({ title, onClose, children, isWide = false, isFirm = false }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      // The element goes away without being closed, so the browser would not give the focus back.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={isWide ? 'wide' : ''}
      aria-labelledby={id}
      // Browsers close a dialog at the second Escape whatever is said: one that must be answered opens again.
      onClose={() => (isFirm ? ref.current?.showModal() : onClose())}
    >
      <div class="title">
        <h2 id={id}>{title}</h2>
        {!isFirm && (
          <button type="button" class="bare" aria-label="Close" onClick={onClose}>
            <CloseIcon />
          </button>
        )}
      </div>
      <div class="inside">{children}</div>
    </dialog>
  );
};
