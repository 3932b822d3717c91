import type { ComponentChildren } from 'preact';
import { translate } from '../language/translate.ts';
import { Button } from './button.tsx';
import { Copied } from './copy.tsx';
import { Dialog } from './dialog.tsx';

type SecretDialogProps = {
  title: string;
  /** The names follow “Copy the”; several secrets are also labelled by them. */
  secrets: readonly { name: string; text: string }[];
  /** The button's words. */
  done: string;
  onClose: () => void;
  /** True where a lost secret cannot be replaced here: only the button closes it. */
  isFirm?: boolean;
  /** Says how long the secrets are valid, and that they are not shown again. */
  children: ComponentChildren;
};

/** Shows secrets that are never shown again. */
export const SecretDialog = ({ title, secrets, done, onClose, isFirm = false, children }: SecretDialogProps) => (
  <Dialog title={title} onClose={onClose} isFirm={isFirm}>
    {children}
    {secrets.map(({ name, text }) => (
      <p key={name}>
        {secrets.length > 1 && `${name.charAt(0).toUpperCase()}${name.slice(1)}: `}
        <Copied text={text} label={translate('Copy the {name}', { name })} />
      </p>
    ))}
    <div class="buttons">
      <Button look="main" onPress={onClose}>
        {done}
      </Button>
    </div>
  </Dialog>
);
