import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Trouble } from './trouble.tsx';

type ConfirmProps = {
  /** The question. */
  title: string;
  /** The consequences, in words. */
  children: ComponentChildren;
  /** The button's words. */
  yes: string;
  /** Main where nothing is lost by it. */
  look?: 'main' | 'danger';
  /** An error that it throws is shown above the buttons. */
  onYes: () => Promise<void>;
  onClose: () => void;
};

/** Asks before something is done that others notice. */
export const Confirm = ({ title, children, yes, look = 'danger', onYes, onClose }: ConfirmProps) => {
  const [error, setError] = useState<unknown>();
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Trouble error={error} />
      <div class="buttons">
        <Button look={look} onPress={() => onYes().catch(setError)}>
          {yes}
        </Button>
        <Button onPress={onClose}>{translate('Not now')}</Button>
      </div>
    </Dialog>
  );
};
