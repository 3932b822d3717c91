import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Editable } from '../parts/editable.tsx';
import { Facts } from '../parts/facts.tsx';
import { Check, Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type Line, useLines } from '../parts/lines.ts';
import { processorFields, processorTitle } from './processor-fields.ts';
import { type ProcessorsDto, processorsOf, type SiteDto, setProcessors } from './site-operations.ts';
import { namesIn, schemes } from './site-words.ts';

type Route = ProcessorsDto['routes'][number];
type Processor = Route['processor'];

const isProcessor = (name: string): name is Processor => name in processorFields;
const processors: readonly Processor[] = Object.keys(processorFields).filter(isProcessor);

/** Where a payment site's payments go, in order. */
export const SiteProcessors = ({ site: { sid } }: { site: SiteDto }) => (
  <Editable
    title={translate('Processors')}
    hint={translate(
      'A payment goes to the first that takes its card, currency and amount, and on to the next only if the processor itself fails.',
    )}
    name={`processors ${sid}`}
    load={(signal) => processorsOf({ params: { sid }, signal })}
    change={setProcessors.isAllowed() && translate('Change them')}
    show={(shown) => <ProcessorsNow shown={shown} />}
    edit={(shown, over) => <RoutesForm {...{ sid, shown }} {...over} />}
  />
);

const spanWords = ({ min, max }: Pick<Route, 'min' | 'max'>): string =>
  [min !== null && translate('from {min}', { min }), max !== null && translate('up to {max}', { max })]
    .filter(Boolean)
    .join(' ');

const ProcessorsNow = ({ shown: { routes, retired, uses_sandbox } }: { shown: ProcessorsDto }) => (
  <>
    {uses_sandbox && <p>{translate('None is set: payments go to the sandbox.')}</p>}
    {!uses_sandbox && routes.length === 0 && <p>{translate('None is set, so no payment can be taken.')}</p>}
    <ol class="routes">
      {routes.map((route, index) => (
        <li key={`${route.id} ${index}`}>
          <h3>{processorTitle(route.processor)}</h3>
          <Facts
            facts={[
              [
                translate('Cards'),
                route.schemes === null ? translate('All') : route.schemes.map(stateWords).join(', '),
              ],
              [translate('Currencies'), route.currencies === null ? translate('All') : route.currencies.join(', ')],
              [translate('Amounts'), spanWords(route)],
              ...Object.entries(route.credentials).map(([name, value]) => [stateWords(name), value] as const),
            ]}
          />
        </li>
      ))}
    </ol>
    {retired.length > 0 && (
      <p class="small">
        {translate('Kept for refunds only: {names}.', {
          names: retired.map(({ id, processor }) => `${processorTitle(processor)} (${id})`).join(', '),
        })}
      </p>
    )}
  </>
);

type FormProps = { sid: number; shown: ProcessorsDto; onDone: () => void; onCancel: () => void };

const newRoute: Route = {
  ...{ id: '', processor: 'stripe', schemes: null, currencies: null, min: null, max: null },
  credentials: {},
};

const RoutesForm = ({ sid, shown, onDone, onCancel }: FormProps) => {
  const { lines, add, remove, replace, moveUp } = useLines(shown.routes);
  const send = async (fields: Record<string, string>, form: HTMLFormElement) => {
    const routes = lines.map((line) => toRoute(line, fields, new FormData(form)));
    await setProcessors({ params: { sid }, body: { routes } });
    say(translate('The processors are saved.'));
    onDone();
  };
  return (
    <Form
      onSend={send}
      send={translate('Save the processors')}
      actions={<Button onPress={onCancel}>{translate('Cancel')}</Button>}
    >
      {(problems) => (
        <>
          {lines.length === 0 && <p>{translate('No processor.')}</p>}
          {lines.map(({ key, value: route }, index) => (
            <RouteFields
              key={key}
              {...{ name: key, number: index + 1, route }}
              problemOf={(field) => problems[`routes.${index}.${field}`]}
              onChange={(next) => replace(key, next)}
              onRemove={() => remove(key)}
              {...(index > 0 && { onUp: () => moveUp(index) })}
            />
          ))}
          <div class="buttons">
            <Button onPress={() => add(newRoute)}>{translate('Add a processor')}</Button>
          </div>
        </>
      )}
    </Form>
  );
};

/** Of `USD=name, EUR=other`. */
const pairsIn = (text: string) =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.split('=').map((part) => part.trim()))
      .filter(([name]) => name),
  );

const toRoute = (
  { key, value: { id, processor } }: Line<Route>,
  fields: Readonly<Record<string, string>>,
  ticked: FormData,
) => {
  const given = processorFields[processor].flatMap(({ name, isPairs }) => {
    const text = fields[`${name}.${key}`];
    if (text === undefined) return [];
    return [[name, isPairs ? pairsIn(text) : text] as const];
  });
  return {
    ...(id !== '' && { id }),
    processor,
    ...(given.length > 0 && { credentials: Object.fromEntries(given) }),
    schemes: schemes.filter((scheme) => ticked.get(`${scheme}.${key}`) === 'on'),
    currencies: namesIn(fields[`currencies.${key}`]),
    min: fields[`min.${key}`] ?? null,
    max: fields[`max.${key}`] ?? null,
  };
};

type RouteProps = {
  name: number;
  number: number;
  route: Route;
  problemOf: (field: string) => string | undefined;
  onChange: (route: Route) => void;
  onRemove: () => void;
  onUp?: () => void;
};

const RouteFields = ({ name, number, route, problemOf, onChange, onRemove, onUp }: RouteProps) => {
  const isKept = route.id !== '';
  return (
    <fieldset class="route">
      <legend>
        {number}. {processorTitle(route.processor)}
      </legend>
      {isKept && route.processor !== 'sandbox' && (
        <p class="small quiet">
          {translate('Account {id}. Leave a field empty to keep what is set.', { id: route.id })}
        </p>
      )}
      {!isKept && (
        <Select
          label={translate('Processor')}
          choices={processors.map((value) => ({ value, label: processorTitle(value) }))}
          value={route.processor}
          onChange={(event) => {
            const next = event.currentTarget.value;
            if (isProcessor(next)) onChange({ ...route, processor: next });
          }}
          problem={problemOf('processor')}
        />
      )}
      <Credentials {...{ name, route, problemOf }} />
      <Ticks name={name} chosen={route.schemes} problem={problemOf('schemes')} />
      <Limits {...{ name, route, problemOf }} />
      <div class="buttons">
        {onUp && (
          <Button aria-label={translate('Move processor {number} up', { number })} onPress={onUp}>
            {translate('Up')}
          </Button>
        )}
        <Button aria-label={translate('Remove processor {number}', { number })} onPress={onRemove}>
          {translate('Remove')}
        </Button>
      </div>
    </fieldset>
  );
};

type PartProps = Pick<RouteProps, 'name' | 'route' | 'problemOf'>;

const Credentials = ({ name, route, problemOf }: PartProps) => {
  const asked = processorFields[route.processor];
  const isKept = route.id !== '';
  if (asked.length === 0) return null;
  return (
    <div class="fields">
      {asked.map(({ name: field, label, isOptional = false, isOpen = false }, index) => (
        <Field
          key={field}
          label={label}
          name={`${field}.${name}`}
          type={isOpen ? 'text' : 'password'}
          autoComplete="off"
          required={!isKept && !isOptional}
          placeholder={isKept ? translate('Unchanged') : ''}
          problem={problemOf(`credentials.${field}`) ?? (index === 0 ? problemOf('credentials') : undefined)}
        />
      ))}
    </div>
  );
};

/** Which payments the processor takes. */
const Limits = ({ name, route, problemOf }: PartProps) => (
  <div class="fields">
    <Field
      label={translate('Currencies (none: all)')}
      name={`currencies.${name}`}
      placeholder="USD, EUR"
      defaultValue={route.currencies?.join(', ') ?? ''}
      problem={problemOf('currencies') ?? problemOf('currencies.0')}
    />
    <Field
      label={translate('Amounts from')}
      name={`min.${name}`}
      inputMode="decimal"
      defaultValue={route.min ?? ''}
      problem={problemOf('min')}
    />
    <Field
      label={translate('Amounts up to')}
      name={`max.${name}`}
      inputMode="decimal"
      defaultValue={route.max ?? ''}
      problem={problemOf('max')}
    />
  </div>
);

const Ticks = ({ name, chosen, problem }: { name: number; chosen: Route['schemes']; problem: string | undefined }) => (
  <fieldset class="ticks">
    <legend>{translate('Cards (none: all)')}</legend>
    {schemes.map((scheme) => (
      <Check
        key={scheme}
        label={stateWords(scheme)}
        name={`${scheme}.${name}`}
        defaultChecked={chosen?.includes(scheme) ?? false}
      />
    ))}
    {problem && <p class="problem">{problem}</p>}
  </fieldset>
);
