import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { fieldProblems, ServiceError } from '../app/transport.ts';
import { Button } from './button.tsx';
import { formFields } from './field.tsx';
import { useAlive } from './load.ts';
import { Trouble } from './trouble.tsx';

type FormProps = {
  /** Called with what the fields hold; what it throws stands above the button. */
  onSend: (fields: Record<string, string>, form: HTMLFormElement) => unknown;
  /** The button's words. */
  send: string;
  look?: 'main' | 'danger';
  /** Further buttons. */
  actions?: ComponentChildren;
  /** Gets what is wrong with which field, to show it there. */
  children: (problems: Readonly<Record<string, string>>) => ComponentChildren;
  isDisabled?: boolean;
};

/** A form that cannot be sent twice, keeps what was typed when it is refused, and says why. */
export const Form = ({ onSend, send, look = 'main', actions, children, isDisabled = false }: FormProps) => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isAlive = useAlive();
  const submit = async (form: HTMLFormElement) => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await onSend(formFields(form), form);
    } catch (thrown) {
      if (isAlive()) setError(thrown);
    } finally {
      if (isAlive()) setBusy(false);
    }
  };
  return (
    <form
      class="form"
      noValidate={false}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      {children(error instanceof ServiceError ? fieldProblems(error) : {})}
      <Trouble error={error} />
      <div class="buttons">
        <Button type="submit" look={look} isBusy={isBusy} disabled={isDisabled}>
          {send}
        </Button>
        {actions}
      </div>
    </form>
  );
};
