import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { address, link, setQuery } from '../app/address.ts';
import { finderText } from '../app/finder-open.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { translate } from '../language/translate.ts';
import { Later } from '../screens/answer-later.tsx';
import { Button } from './button.tsx';
import { Field, formFields, Select } from './field.tsx';
import { SearchIcon } from './icons.tsx';
import type { Filter } from './narrow-pages.ts';
import { readSearch, searchText } from './search.ts';

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

const pageFields = { cursor: undefined, after: undefined };

/** The filters of a list. They are in the address, so that a link shows the same. */
export const Filters = ({ filters, search }: { filters: readonly Filter[]; search?: string | undefined }) => {
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLInputElement>(null);
  const details = useRef<HTMLDetailsElement>(null);
  const given = filterFields(filters);
  const [isOpen, setOpen] = useState(false);
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
      {search !== undefined && <SearchBox {...{ box, filters, search, given, apply }} />}
      <details ref={details} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
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
            <FilterField key={filter.name} {...filter} value={given[filter.name] ?? ''} isOpen={isOpen} />
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
  /** The kind that the search of everything is limited to: "in:payments". */
  search: string;
  given: Fields;
  apply: (fields: Fields) => void;
};

/** Filters the list by words whose form says what they are. Whatever else is typed is searched for everywhere. */
const SearchBox = ({ box, filters, search, given, apply }: SearchBoxProps) => (
  <form
    class="searchbox"
    onSubmit={(event) => {
      event.preventDefault();
      const { fields, rest } = readSearch(box.current?.value ?? '', filters);
      if (rest === '') apply(fields);
      else finderText.value = search === '' ? rest : `${rest} in:${search}`;
    }}
  >
    <SearchIcon />
    <input
      ref={box}
      type="search"
      aria-label={translate('Search')}
      placeholder={search === '' ? translate('Search') : translate('Card, amount, order, e-mail …')}
      key={searchText(given, filters)}
      defaultValue={searchText(given, filters)}
    />
  </form>
);

const FilterField = ({
  name,
  label,
  choices,
  type = 'text',
  hint,
  placeholder,
  value,
  isOpen,
}: Filter & { value: string; isOpen: boolean }) => {
  // Sites are read once they can be seen.
  if (type === 'site')
    return isOpen ? (
      <Later>{({ SiteField }) => <SiteField none={translate('Any')} value={value} />}</Later>
    ) : (
      <input type="hidden" {...{ name, value }} />
    );
  return choices ? (
    <Select {...{ name, label }} choices={[{ value: '', label: translate('Any') }, ...choices]} defaultValue={value} />
  ) : (
    <Field {...{ name, label, type, hint, placeholder }} defaultValue={value} />
  );
};
