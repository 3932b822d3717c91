import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAlive } from './load.ts';

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'onClick' | 'type' | 'class'> & {
  children?: ComponentChildren;
  look?: 'main' | 'plain' | 'danger' | 'bare';
  /** While it runs, the button is busy and cannot be pressed again. */
  onPress?: () => unknown;
  type?: 'button' | 'submit';
  isBusy?: boolean;
};

/**
 * A button that is dead from the first press until what it does is done. It keeps the focus meanwhile, which `disabled` would take
 * from it.
 */
export const Button = ({
  look = 'plain',
  onPress,
  type = 'button',
  isBusy = false,
  children,
  ...rest
}: ButtonProps) => {
  const [isRunning, setRunning] = useState(false);
  const isAlive = useAlive();
  const busy = isRunning || isBusy;
  const press = async () => {
    if (!onPress || busy) return;
    setRunning(true);
    try {
      await onPress();
    } finally {
      if (isAlive()) setRunning(false);
    }
  };
  return (
    <button
      {...rest}
      type={type}
      class={`button ${look}`}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      onClick={onPress ? () => void press() : undefined}
    >
      {children}
    </button>
  );
};
