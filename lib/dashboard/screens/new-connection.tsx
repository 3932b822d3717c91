import { useState } from 'preact/hooks';
import type { setConnectionsOperation as SetOperation } from '#disputes/connections/api/set-connections/operation.ts';
import type { Sent } from '../app/client.ts';
import { translate } from '../language/translate.ts';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { connectionFields, processorTitle } from './processor-fields.ts';
import { ProcessorSignIn } from './processor-sign-in.tsx';

export type ConnectionSent = Sent<typeof SetOperation>['connections'][number];
type Kind = ConnectionSent['kind'];

export const isConnectionKind = (name: string | undefined): name is Kind =>
  name !== undefined && name in connectionFields;
const kinds = Object.keys(connectionFields).filter(isConnectionKind);

/** Of `USD=name, EUR=other`. */
const pairsIn = (text: string) =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.split('=').map((part) => part.trim()))
      .filter(([name]) => name),
  );

type FormProps = {
  onSend: (sent: ConnectionSent) => Promise<void>;
  isDisabled: boolean;
  /** The processors at which a person can sign in. */
  signInKinds: readonly string[];
};

/** The processor, its name for people, and the credentials that it needs. */
export const NewConnectionForm = ({ onSend, isDisabled, signInKinds }: FormProps) => {
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'stripe');
  const fields = connectionFields[kind] ?? [];
  const send = (given: Record<string, string>) => {
    const credentials = Object.fromEntries(
      fields.flatMap(({ name, isPairs }) => {
        const text = given[name];
        return text ? [[name, isPairs ? pairsIn(text) : text] as const] : [];
      }),
    );
    return onSend({
      kind,
      label: given['label'] ?? processorTitle(kind),
      ...(fields.length > 0 && { credentials }),
    });
  };
  return (
    <Form onSend={send} send={translate('Connect')} isDisabled={isDisabled}>
      {(problems) => (
        <>
          <Select
            label={translate('Processor')}
            name="kind"
            choices={kinds.map((value) => ({ value, label: processorTitle(value) }))}
            value={kind}
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              if (isConnectionKind(chosen)) setKind(chosen);
            }}
          />
          {signInKinds.includes(kind) && <ProcessorSignIn kind={kind} />}
          <KeyFields key={kind} {...{ kind, problems }} />
        </>
      )}
    </Form>
  );
};

type KeyProps = { kind: Kind; problems: Readonly<Record<string, string>> };

const KeyFields = ({ kind, problems }: KeyProps) => {
  // The refusal names the field with its place among all connections.
  const problemOf = (name: string) => Object.entries(problems).find(([place]) => place.endsWith(`.${name}`))?.[1];
  return (
    <>
      <Field
        label={translate('Name')}
        name="label"
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={processorTitle(kind)}
        problem={problemOf('label')}
      />
      {(connectionFields[kind] ?? []).map(({ name, label, isOptional, isOpen }) => (
        <Field
          key={name}
          label={isOptional ? translate('{label} (optional)', { label }) : label}
          name={name}
          type={isOpen ? 'text' : 'password'}
          autoComplete="off"
          spellcheck={false}
          required={!isOptional}
          problem={problemOf(name)}
        />
      ))}
    </>
  );
};
