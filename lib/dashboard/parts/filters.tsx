import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { address, link, setQuery } from '../app/address.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { translate } from '../language/translate.ts';
import { Button } from './button.tsx';
import { type Choice, Field, formFields, Select } from './field.tsx';
import { SearchIcon } from './icons.tsx';
import { readSearch, searchText } from './search.ts';

export type Filter = {
  /** Its name in the address, and in the operation. */
  name: string;
  label: string;
  /** For a choice among few; else it is typed. */
  choices?: readonly Choice[];
  type?: 'text' | 'date' | 'number';
  hint?: string;
  placeholder?: string;
};

/** Returns the part of the address that filters a list; the rest is the position in it. */
export const filterFields = (filters: readonly Filter[]): Record<string, string> => {
  const { query } = address.value;
  return Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = query.get(name);
      return value ? [[name, value]] : [];
    }),
  );
};

/** Returns the placeholder: a value without a name belongs to the default field, others are named. */
const placeholderOf = (filters: readonly Filter[], search: string): string => {
  const [own, other] = [filters.find(({ name }) => name === search), filters.find(({ name }) => name !== search)];
  return translate('{label}, or {name}:…', {
    label: own?.label ?? translate('Search'),
    name: other?.name.split('_').at(-1) ?? '',
  });
};

const pageFields = { cursor: undefined, after: undefined };

/** The filters of a list. They are in the address, so that a link shows the same. */
export const Filters = ({ filters, search }: { filters: readonly Filter[]; search?: string }) => {
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const details = useRef<HTMLDetailsElement>(null);
  const given = filterFields(filters);
  const count = Object.keys(given).length;
  const focusFilters = () => {
    if (details.current) details.current.open = true;
    form.current?.querySelector<HTMLElement>('select, input')?.focus();
  };
  useShortcuts({ search: () => box.current?.focus(), filter: focusFilters });
  if (filters.length === 0) return null;
  const apply = (fields: Fields) => {
    const emptied = Object.fromEntries(filters.map(({ name }) => [name, undefined]));
    setQuery({ ...emptied, ...fields, ...pageFields });
  };
  return (
    <search class="filters">
      {search && <SearchBox {...{ box, filters, search, given, apply }} />}
      <details ref={details}>
        <summary class="button plain">
          {count > 0 ? translate('Filters ({count})', { count }) : translate('Filters')}
        </summary>
        <form
          ref={form}
          class="fields"
          key={JSON.stringify(given)}
          onSubmit={(event) => {
            event.preventDefault();
            apply(formFields(event.currentTarget));
          }}
        >
          {filters.map((filter) => (
            <FilterField key={filter.name} {...filter} value={given[filter.name] ?? ''} />
          ))}
          <div class="buttons">
            <Button type="submit" look="main">
              {translate('Apply')}
            </Button>
            {count > 0 && (
              <a class="button plain" href={link(address.value.path)}>
                {translate('Clear')}
              </a>
            )}
          </div>
        </form>
      </details>
    </search>
  );
};

type Fields = Readonly<Record<string, string>>;
type SearchBoxProps = {
  box: RefObject<HTMLInputElement>;
  filters: readonly Filter[];
  /** The filter that words without a name are of. */
  search: string;
  given: Fields;
  apply: (fields: Fields) => void;
};

const SearchBox = ({ box, filters, search, given, apply }: SearchBoxProps) => (
  <form
    class="searchbox"
    onSubmit={(event) => {
      event.preventDefault();
      apply(readSearch(box.current?.value ?? '', filters, search));
    }}
  >
    <SearchIcon />
    <input
      ref={box}
      type="search"
      aria-label={translate('Search')}
      placeholder={placeholderOf(filters, search)}
      key={searchText(given, search)}
      defaultValue={searchText(given, search)}
    />
  </form>
);

const FilterField = ({ name, label, choices, type = 'text', hint, placeholder, value }: Filter & { value: string }) =>
  choices ? (
    <Select {...{ name, label }} choices={[{ value: '', label: translate('Any') }, ...choices]} defaultValue={value} />
  ) : (
    <Field {...{ name, label, type, hint, placeholder }} defaultValue={value} />
  );
