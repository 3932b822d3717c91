import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { address, setQuery } from '../app/address.ts';
import { finderText } from '../app/finder-open.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { translate } from '../language/translate.ts';
import { Later } from '../screens/answer-later.tsx';
import { Button } from './button.tsx';
import { FilterIcon, SearchIcon } from './icons.tsx';
import type { Filter, FilterValues } from './narrow-pages.ts';
import { readSearch } from './search.ts';

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

/** Replaces the filters in the address, and goes back to the first page. */
const applyFilters = (filters: readonly Filter[], fields: FilterValues): void => {
  const emptied = Object.fromEntries(filters.map(({ name }) => [name, undefined]));
  setQuery({ ...emptied, ...fields, cursor: undefined, after: undefined });
};

/** The search box of a list, and the button that opens its filters. They are in the address, so that a link shows the same. */
export const Filters = ({ filters, search }: { filters: readonly Filter[]; search?: string | undefined }) => {
  const box = useRef<HTMLInputElement>(null);
  const given = filterFields(filters);
  const [isOpen, setOpen] = useState(false);
  useShortcuts({ search: () => box.current?.focus(), filter: () => setOpen(true) });
  if (filters.length === 0) return null;
  const apply = (fields: FilterValues) => applyFilters(filters, fields);
  return (
    <search class="filters">
      {search !== undefined && <SearchBox {...{ box, filters, search, given, apply }} />}
      <Button aria-haspopup="dialog" onPress={() => setOpen(true)}>
        <FilterIcon />
        <span class="word">{translate('Filters')}</span>
      </Button>
      {isOpen && (
        <Later>
          {({ FilterDialog }) => <FilterDialog {...{ filters, given, apply }} onClose={() => setOpen(false)} />}
        </Later>
      )}
    </search>
  );
};

type SearchBoxProps = {
  box: RefObject<HTMLInputElement>;
  filters: readonly Filter[];
  /** The kind that the search of everything is limited to: "in:payments". */
  search: string;
  given: FilterValues;
  apply: (fields: FilterValues) => void;
};

/** Filters the list by words whose form says what they are. Whatever else is typed is searched for everywhere. */
const SearchBox = ({ box, filters, search, given, apply }: SearchBoxProps) => (
  <form
    class="searchbox"
    key={JSON.stringify(given)}
    onSubmit={(event) => {
      event.preventDefault();
      const { fields, rest } = readSearch(box.current?.value ?? '', filters);
      if (rest === '') apply({ ...given, ...fields });
      else finderText.value = search === '' ? rest : `${rest} in:${search}`;
    }}
  >
    <SearchIcon />
    <input
      ref={box}
      type="search"
      aria-label={translate('Search')}
      placeholder={search === '' ? translate('Search') : translate('Card, amount, order, e-mail …')}
    />
  </form>
);
