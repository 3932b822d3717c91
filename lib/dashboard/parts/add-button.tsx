import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { isOperator, presentMid } from '../app/merchant.ts';
import { translate } from '../language/translate.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type AddButtonProps = {
  /** The button's words. */
  words: string;
  title: string;
  children: (form: { isDisabled: boolean; close: () => void }) => ComponentChildren;
};

/** Opens the form for something that belongs to a merchant. An operator must choose the merchant first. */
export const AddButton = ({ words, title, children }: AddButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  const isDisabled = isOperator() && presentMid() === undefined;
  const close = () => setOpen(false);
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        {words}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {isDisabled && <p class="note warn">{translate('Choose a merchant at the top of the page first.')}</p>}
          {children({ isDisabled, close })}
        </Dialog>
      )}
    </>
  );
};
