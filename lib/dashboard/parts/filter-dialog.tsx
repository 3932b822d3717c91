import { address, link } from '../app/address.ts';
import { translate } from '../language/translate.ts';
import { Button } from './button.tsx';
import { dateText } from './dates.ts';
import { Dialog } from './dialog.tsx';
import { Field, formFields, Select } from './field.tsx';
import { CloseIcon } from './icons.tsx';
import type { Filter, FilterValues } from './narrow-pages.ts';
import { SiteField } from './site-field.tsx';
import { SiteText } from './site-name.tsx';

type DialogProps = {
  /** Those that are used most come first. */
  filters: readonly Filter[];
  given: FilterValues;
  apply: (fields: FilterValues) => void;
  onClose: () => void;
};

/** So many filters or ranges are shown at once. */
const countAtOnce = 2;

/** Filters line by line: the two ends of a range share one. */
const pairRanges = (filters: readonly Filter[]): Filter[][] => {
  const lines: Filter[][] = [];
  for (const filter of filters) {
    const last = lines.at(-1)?.[0];
    if (last?.name.endsWith('_from') && filter.name === last.name.replace('_from', '_to')) lines.at(-1)?.push(filter);
    else lines.push([filter]);
  }
  return lines;
};

/** The filters of a list: those that are used most, and all others behind a press. */
export const FilterDialog = ({ filters, given, apply, onClose }: DialogProps) => {
  const [shown, typed] = [filters.filter(({ isTyped }) => !isTyped), filters.filter(({ isTyped }) => isTyped)];
  const lines = pairRanges(shown);
  const rest = lines.slice(countAtOnce);
  const line = (own: readonly Filter[]) => (
    <div key={own[0]?.name} class={own.length > 1 ? 'pair' : ''}>
      {own.map((filter) => (
        <FilterField key={filter.name} {...filter} value={given[filter.name] ?? ''} />
      ))}
    </div>
  );
  return (
    <Dialog title={translate('Filters')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          const kept = typed.flatMap(({ name }) => (given[name] ? [[name, given[name]] as const] : []));
          apply({ ...Object.fromEntries(kept), ...formFields(event.currentTarget) });
        }}
      >
        <div class="fields">{lines.slice(0, countAtOnce).map(line)}</div>
        {rest.length > 0 && (
          <details open={rest.flat().some(({ name }) => given[name] !== undefined)}>
            <summary>{translate('More filters')}</summary>
            <div class="fields">{rest.map(line)}</div>
          </details>
        )}
        <div class="buttons">
          <Button type="submit" look="main">
            {translate('Apply')}
          </Button>
          {Object.keys(given).length > 0 && (
            <Button
              onPress={() => {
                onClose();
                apply({});
              }}
            >
              {translate('Clear')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
};

const FilterField = ({ name, label, choices, type = 'text', hint, placeholder, value }: Filter & { value: string }) => {
  if (type === 'site') return <SiteField none={translate('Any')} value={value} />;
  return choices ? (
    <Select {...{ name, label }} choices={[{ value: '', label: translate('Any') }, ...choices]} defaultValue={value} />
  ) : (
    <Field {...{ name, label, type, hint, placeholder }} defaultValue={value} />
  );
};

type TokensProps = { filters: readonly Filter[]; given: FilterValues };

/** The filters that apply, in words; each is removed by a press. */
export const Tokens = ({ filters, given }: TokensProps) => {
  const { path, query } = address.value;
  const without = (names: readonly string[]) =>
    link(path, {
      ...Object.fromEntries(query),
      ...Object.fromEntries([...names, 'cursor', 'after'].map((name) => [name, undefined])),
    });
  const names = Object.keys(given);
  return (
    <ul class="tokens" aria-label={translate('Filters that apply')}>
      {filters.flatMap((filter) => {
        const value = given[filter.name];
        return value === undefined ? (
          []
        ) : (
          <li key={filter.name}>
            <a class="token" href={without([filter.name])}>
              <span class="unseen">{translate('Remove:')} </span>
              {filter.label}: <b>{valueWords(filter, value)}</b>
              <CloseIcon />
            </a>
          </li>
        );
      })}
      {names.length > 1 && (
        <li>
          <a class="token" href={without(names)}>
            {translate('Remove all')}
          </a>
        </li>
      )}
    </ul>
  );
};

const valueWords = ({ type, choices }: Filter, value: string) => {
  if (type === 'site') return <SiteText sid={Number(value)} />;
  if (type === 'date' && !Number.isNaN(Date.parse(value))) return dateText(value);
  return choices?.find((one) => one.value === value)?.label ?? value;
};
