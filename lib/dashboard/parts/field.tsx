import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

type Described = { label: ComponentChildren; hint?: ComponentChildren; problem?: string | undefined };

const descriptionIds = (id: string, { hint, problem }: Described) =>
  [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ') || undefined;

const Around = ({ id, label, hint, problem, children }: Described & { id: string; children: ComponentChildren }) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {problem && (
      <p class="problem" id={`${id}-problem`}>
        {problem}
      </p>
    )}
  </div>
);

/** A labelled input; what is wrong with it stands below it and is said with it. */
export const Field = ({
  label,
  hint,
  problem,
  unit,
  ...input
}: Described & { unit?: string } & Omit<JSX.IntrinsicElements['input'], 'label'>) => {
  const id = useId();
  const described = descriptionIds(id, { label, hint, problem });
  const field = <input {...input} id={id} aria-describedby={described} aria-invalid={problem ? true : undefined} />;
  return (
    <Around {...{ id, label, hint, problem }}>
      {unit ? (
        <span class="with-unit">
          {field}
          <span class="quiet">{unit}</span>
        </span>
      ) : (
        field
      )}
    </Around>
  );
};

export const LongField = ({
  label,
  hint,
  problem,
  ...input
}: Described & Omit<JSX.IntrinsicElements['textarea'], 'label'>) => {
  const id = useId();
  return (
    <Around {...{ id, label, hint, problem }}>
      <textarea
        rows={3}
        {...input}
        id={id}
        aria-describedby={descriptionIds(id, { label, hint, problem })}
        aria-invalid={problem ? true : undefined}
      />
    </Around>
  );
};

export type Choice = { value: string; label: string };

export const Select = ({
  label,
  hint,
  problem,
  choices,
  defaultValue,
  ...select
}: Described & { choices: readonly Choice[] } & Omit<JSX.IntrinsicElements['select'], 'label'>) => {
  const id = useId();
  return (
    <Around {...{ id, label, hint, problem }}>
      <select
        {...select}
        id={id}
        aria-describedby={descriptionIds(id, { label, hint, problem })}
        aria-invalid={problem ? true : undefined}
      >
        {choices.map(({ value, label: words }) => (
          // A select knows no default by itself: its options say which of them it is.
          <option key={value} value={value} {...(defaultValue !== undefined && { selected: value === defaultValue })}>
            {words}
          </option>
        ))}
      </select>
    </Around>
  );
};

/** A box to tick, with its words behind it. */
export const Check = ({ label, hint, ...input }: Described & Omit<JSX.IntrinsicElements['input'], 'label'>) => {
  const id = useId();
  return (
    <div class="field check">
      <input {...input} type="checkbox" id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

/** Returns the values of a form's fields, by name; empty ones are left out. */
export const formFields = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
    ),
  );

/** The problem of a list or of its first invalid entry. */
export const problemIn = (problems: Readonly<Record<string, string>>, list: string): string | undefined =>
  Object.entries(problems).find(([name]) => name === list || name.startsWith(`${list}.`))?.[1];
