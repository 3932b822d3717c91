import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fieldProblems } from '../app/transport.ts';
import { translate } from '../language/translate.ts';
import { Button } from './button.tsx';
import { focusFirstField } from './dialog.tsx';
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

/** A field that shows what is wrong with it. */
type Marked = { label: string; words: string; control: HTMLElement | null };

const readHeading = (around: Element | null | undefined): string =>
  around?.querySelector(':scope > label, :scope > legend')?.textContent?.replace(` ${translate('(optional)')}`, '') ??
  '';

const findMarked = (form: HTMLFormElement): Marked[] =>
  [...form.querySelectorAll('.problem')].map((problem) => {
    const field = problem.closest('.field, fieldset');
    const group = field?.parentElement?.closest('fieldset');
    return {
      label: [readHeading(group), readHeading(field)].filter(Boolean).join(', '),
      words: problem.textContent ?? '',
      control: field?.querySelector<HTMLElement>('input, select, textarea') ?? null,
    };
  });

/** Returns the page's labels of the fields that refusals name; a field that is absent has no label. */
const readLabels = (problems: Readonly<Record<string, string>>, marked: readonly Marked[]): Record<string, string> => {
  const left = [...marked];
  return Object.fromEntries(
    Object.entries(problems).flatMap(([name, words]) => {
      const at = left.findIndex((one) => one.words === words);
      const [found] = at === -1 ? [] : left.splice(at, 1);
      return found ? [[name, found.label]] : [];
    }),
  );
};

/** A form that cannot be sent twice, keeps what was typed when it is refused, and says why. */
export const Form = ({ onSend, send, look = 'main', actions, children, isDisabled = false }: FormProps) => {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [labels, setLabels] = useState<Readonly<Record<string, string>>>({});
  const ref = useRef<HTMLFormElement>(null);
  const isAlive = useAlive();
  const problems = fieldProblems(error);
  useEffect(() => {
    // While a dialog loads its fields, its close button has the focus.
    const dialog = ref.current?.closest('dialog');
    if (dialog?.querySelector('.title')?.contains(document.activeElement)) focusFirstField(dialog);
  }, []);
  useLayoutEffect(() => {
    if (error === undefined) return;
    const marked = ref.current ? findMarked(ref.current) : [];
    marked[0]?.control?.focus();
    setLabels(readLabels(problems, marked));
  }, [error]);
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
      ref={ref}
      class="form"
      noValidate={false}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      {children(problems)}
      <Trouble {...{ error, labels }} />
      <div class="buttons">
        <Button type="submit" look={look} isBusy={isBusy} disabled={isDisabled}>
          {send}
        </Button>
        {actions}
      </div>
    </form>
  );
};
