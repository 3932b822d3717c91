import { useState } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Check, type Choice, Field, LongField, Select } from '../parts/field.tsx';
import { codeWords } from './reason-words.ts';
import {
  type Comparison,
  type FactName,
  type Flat,
  factChoices,
  facts,
  factsAbout,
  type Group,
  inCurrency,
  isFact,
  isVolume,
  listOperators,
  newComparison,
  type RuleAbout,
  readFlat,
  readValue,
  toConditions,
  valueText,
} from './rule-facts.ts';

export type Conditions = Record<string, unknown>;
type Props = {
  conditions: Conditions;
  onChange: (conditions: Conditions) => void;
  problem?: string | undefined;
};
type EditorProps = Props & { about?: RuleAbout };

const groups: readonly { value: Group; label: string }[] = [
  { value: 'all', label: translate('All conditions are met') },
  { value: 'any', label: translate('Any condition is met') },
  { value: 'none', label: translate('No condition is met') },
];
const scopes = [
  { value: 'card', label: translate('the card') },
  { value: 'descriptor', label: translate('the descriptor') },
  { value: 'site', label: translate('the site') },
];
const yesOrNo = [
  { value: 'true', label: translate('yes') },
  { value: 'false', label: translate('no') },
];

/** When a rule applies: line by line, or as text for what lines cannot say. */
export const ConditionsEditor = ({ conditions, onChange, problem, about = 'alerts' }: EditorProps) => {
  const flat = readFlat(conditions);
  return (
    <fieldset class="stack">
      <legend>{translate('When it applies')}</legend>
      {flat ? (
        <Lines flat={flat} about={about} onChange={(next) => onChange(toConditions(next))} />
      ) : (
        <p class="note">{translate('These conditions are nested: change their text below.')}</p>
      )}
      {problem && <p class="problem">{problem}</p>}
      <details {...(!flat && { open: true })}>
        <summary>{translate('For developers: the conditions as JSON')}</summary>
        <Text key={JSON.stringify(conditions)} {...{ conditions, onChange }} />
      </details>
    </fieldset>
  );
};

const Text = ({ conditions, onChange }: Props) => {
  const [problem, setProblem] = useState<string>();
  const read = (text: string) => {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new Error(translate('It must be an object.'));
      setProblem(undefined);
      onChange(value as Conditions);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <LongField
      label={translate('Conditions')}
      rows={8}
      spellcheck={false}
      class="code"
      defaultValue={JSON.stringify(conditions, null, 2)}
      onChange={(event) => read(event.currentTarget.value)}
      problem={problem}
    />
  );
};

const Lines = ({ flat, onChange, about }: { flat: Flat; onChange: (flat: Flat) => void; about: RuleAbout }) => {
  const { group, comparisons } = flat;
  const change = (index: number, next: Comparison) =>
    onChange({ group, comparisons: comparisons.map((one, at) => (at === index ? next : one)) });
  return (
    <>
      <Select
        label={translate('It applies when')}
        choices={groups}
        value={group}
        onChange={(event) =>
          onChange({ ...flat, group: groups.find(({ value }) => value === event.currentTarget.value)?.value ?? 'all' })
        }
      />
      {comparisons.map((comparison, index) => (
        <Line
          key={index}
          number={index + 1}
          comparison={comparison}
          about={about}
          onChange={(next) => change(index, next)}
          {...(comparisons.length > 1 && {
            onRemove: () => onChange({ group, comparisons: comparisons.filter((_, at) => at !== index) }),
          })}
        />
      ))}
      <div class="buttons">
        <Button onPress={() => onChange({ group, comparisons: [...comparisons, newComparison('amount')] })}>
          {translate('Add a condition')}
        </Button>
      </div>
    </>
  );
};

type TypedProps = { label: string; value: string; required?: boolean; hint?: string; onTyped: (text: string) => void };

/** A field that is read when it loses the focus: typed text stays, whatever is drawn again meanwhile. */
const Typed = ({ value, onTyped, ...field }: TypedProps) => {
  const [text, setText] = useState<string>();
  return (
    <Field
      {...field}
      value={text ?? value}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={(event) => {
        onTyped(event.currentTarget.value);
        setText(undefined);
      }}
    />
  );
};

type LineProps = {
  number: number;
  comparison: Comparison;
  about: RuleAbout;
  onChange: (next: Comparison) => void;
  onRemove?: () => void;
};

const Line = ({ number, comparison, about, onChange, onRemove }: LineProps) => {
  const { fact, operator, value, params } = comparison;
  return (
    <fieldset class="line">
      <legend class="unseen">{translate('Condition {number}', { number })}</legend>
      <Select
        label={translate('What')}
        choices={factsAbout(about)}
        value={fact}
        onChange={(event) => onChange(newComparison(event.currentTarget.value as FactName))}
      />
      {isVolume(fact) && <Volume {...{ comparison, onChange }} />}
      <Select
        label={translate('How')}
        choices={listOperators(fact)}
        value={operator}
        onChange={(event) => {
          const next = event.currentTarget.value;
          const kept = next === 'in' || next === 'notIn' ? value : ([value].flat()[0] ?? '');
          onChange({ ...comparison, operator: next, value: readValue(fact, next, valueText(kept)) });
        }}
      />
      <Value {...{ comparison, onChange }} />
      {fact === 'amount' && (
        <Field
          label={translate('Currency')}
          placeholder={translate('Any')}
          value={params?.currency ?? ''}
          maxLength={3}
          onChange={(event) => onChange(inCurrency(comparison, event.currentTarget.value))}
        />
      )}
      {onRemove && (
        <Button aria-label={translate('Remove condition {number}', { number })} onPress={onRemove}>
          {translate('Remove')}
        </Button>
      )}
    </fieldset>
  );
};

type PartProps = Pick<LineProps, 'comparison' | 'onChange'>;

/** The subject and window of a volume comparison. */
const Volume = ({ comparison, onChange }: PartProps) => {
  const { params } = comparison;
  return (
    <>
      <Select
        label={translate('Of')}
        choices={scopes}
        value={params?.of ?? 'card'}
        onChange={(event) => onChange({ ...comparison, params: { ...params, of: event.currentTarget.value } })}
      />
      <Field
        label={translate('Within')}
        value={params?.window ?? '7d'}
        pattern="\d{1,3}[hd]"
        title={translate('Hours or days, such as 24h or 7d')}
        onChange={(event) => onChange({ ...comparison, params: { ...params, window: event.currentTarget.value } })}
      />
    </>
  );
};

const Value = ({ comparison, onChange }: PartProps) => {
  const { fact, operator, value } = comparison;
  const setValue = (text: string) => onChange({ ...comparison, value: readValue(fact, operator, text) });
  const isFlag = isFact(fact) && facts[fact].kind === 'flag';
  const choices = isFlag ? yesOrNo : factChoices(fact, operator);
  // A value that a rule has from the API may be none of the usual ones.
  const isKnown = [value].flat().every((one) => choices?.some((choice) => choice.value === String(one)));
  if (choices && isKnown)
    return Array.isArray(value) || operator === 'in' || operator === 'notIn' ? (
      <Several choices={choices} values={[value].flat().map(String)} onTicked={(ticked) => setValue(ticked.join())} />
    ) : (
      <Select
        label={translate('Value')}
        choices={choices}
        value={String(value)}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
    );
  const meanings = fact === 'reason_code' ? [value].flat().map((code) => codeWords(String(code))) : [];
  const hint = [...new Set(meanings)].filter((meaning) => meaning !== undefined).join(', ');
  return <Typed label={translate('Value')} value={valueText(value)} required hint={hint} onTyped={setValue} />;
};

type SeveralProps = { choices: readonly Choice[]; values: readonly string[]; onTicked: (values: string[]) => void };

/** The values of a comparison with several, to be ticked; the last one stays, as none is no condition. */
const Several = ({ choices, values, onTicked }: SeveralProps) => (
  <fieldset class="ticks">
    <legend>{translate('Value')}</legend>
    {choices.map(({ value, label }) => {
      const isOn = values.includes(value);
      return (
        <Check
          key={value}
          label={label}
          checked={isOn}
          disabled={isOn && values.length === 1}
          onChange={() =>
            onTicked(
              choices.flatMap((one) => ((one.value === value) !== values.includes(one.value) ? [one.value] : [])),
            )
          }
        />
      );
    })}
  </fieldset>
);
