import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { address, link } from '../app/address.ts';
import { serviceNow } from '../app/clock.ts';
import { presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Later } from '../screens/answer-later.tsx';
import { Button } from './button.tsx';
import { csvName, csvText } from './csv.ts';
import { useDismiss } from './dismiss.ts';
import { Filters, filterFields } from './filters.tsx';
import { MoreIcon } from './icons.tsx';
import { useLoad } from './load.ts';
import { type Filter, type Page, type PageAsked, readAllPages } from './narrow-pages.ts';
import { saveFile } from './save-file.ts';
import { type Selection, useSelection } from './selection.ts';
import { type Column, DataTable } from './table.tsx';
import { Trouble } from './trouble.tsx';
import { Waiting } from './waiting.tsx';
import { countText } from './words.ts';

export type ListingProps<Row> = {
  /** Names the list in file names and saved views. */
  name: string;
  caption: string;
  columns?: readonly Column<Row>[];
  /** Renders the rows in another form than a table. */
  render?: (rows: readonly Row[], selection: Selection<Row> | undefined) => ComponentChildren;
  filters: readonly Filter[];
  /** The kind of its rows in the search of everything, or none; absent: there is no search box. */
  search?: string;
  load: (filters: Record<string, string>, page: PageAsked, signal?: AbortSignal) => Promise<Page<Row>>;
  keyOf: (row: Row) => string;
  hrefOf?: (row: Row) => string | undefined;
  /** Returns the fields of a row for a file, or those of several lines. */
  csvOf: (row: Row) => Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
  empty: ComponentChildren;
  /** Leaves out rows by what is only known once they are shown. */
  isShown?: (row: Row, filters: Record<string, string>) => boolean;
  /** Called with the rows of each page that is shown, and with none while a page loads. */
  onRows?: (rows: readonly Row[]) => void;
  /** The actions for the selected rows; only of a list with its own form, which has the boxes to select them. */
  bulk?: (rows: readonly Row[], done: () => void) => ComponentChildren;
  /** The heading of a list that has a pane: it shares a line with the search. */
  heading?: ComponentChildren;
  /** Next to the search. */
  actions?: ComponentChildren;
  /** Below the search. */
  tabs?: ComponentChildren;
  /** Links in the menu of further things. */
  more?: ComponentChildren;
  /** The form shows fewer rows than it was given, so that counts of them would mislead. */
  isFolded?: boolean;
  /** Filters that the tabs show already. */
  shownFilters?: readonly string[];
  /** Changes when the list must be read again; another merchant is noticed without it. */
  version?: string | number;
};

/** The number of rows per page; and as many as can be answered at once, on request. */
const usualSize = 50;
const fullSize = 100;
const presentSize = (): number => (address.value.query.get('size') === String(fullSize) ? fullSize : usualSize);

/** A list with its filters, pages, saved views and export. Everything it shows is in the address. */
export const Listing = <Row,>(props: ListingProps<Row>) => {
  const { name, caption, columns = [], filters, load, keyOf, hrefOf, bulk, version } = props;
  const given = filterFields(filters);
  const cursor = address.value.query.get('cursor') ?? undefined;
  const size = presentSize();
  const { data, error, isLoading, reload } = useLoad(
    JSON.stringify([name, given, cursor, size, presentMid()]),
    (signal) => load(given, { size, ...(cursor && { cursor }) }, signal),
  );
  const shown = useRef(version);
  useEffect(() => {
    // The shown rows stay meanwhile, and with them the focus.
    if (shown.current !== version) reload();
    shown.current = version;
  }, [version]);
  const rows = (data?.list ?? []).filter((row) => props.isShown?.(row, given) ?? true);
  useEffect(() => props.onRows?.(rows), [data, rows.length]);
  const empty = data?.next_cursor ? (
    <p>{translate('None among those looked through. The next page goes on.')}</p>
  ) : (
    props.empty
  );
  const selection = useSelection(rows, keyOf);
  const finish = () => {
    selection.clear();
    reload();
  };
  return (
    <>
      <Toolbar {...props} given={given} />
      {props.tabs}
      <Understood {...props} given={given} />
      <Trouble error={error} onRetry={reload} />
      {bulk && selection.rows.length > 0 && (
        <section class="bulk" aria-label={translate('What to do with the rows selected')}>
          <p>
            {translateCount(selection.rows.length, '{count} selected', '{count} selected')}
            <Button look="bare" onPress={selection.clear}>
              {translate('Select none')}
            </Button>
          </p>
          <div class="buttons">{bulk(selection.rows, finish)}</div>
        </section>
      )}
      {data &&
        props.render &&
        (rows.length > 0 ? props.render(rows, bulk && selection) : <div class="empty">{empty}</div>)}
      {data && !props.render && (
        <DataTable {...{ caption, columns, rows, keyOf, empty }} {...(hrefOf && { hrefOf })} isBusy={isLoading} />
      )}
      {!data && isLoading && <Waiting />}
      {data && <Pager page={data} isFolded={props.isFolded ?? false} />}
    </>
  );
};

const Toolbar = <Row,>({ given, ...props }: ListingProps<Row> & { given: Record<string, string> }) => (
  <div class={`toolbar${props.heading ? ' in-line' : ''}`}>
    {props.heading}
    <Filters filters={props.filters} {...(props.search !== undefined && { search: props.search })} />
    <div class="buttons">
      {props.actions}
      <More {...props} given={given} />
    </div>
  </div>
);

/** The filters that apply, unless the tabs show them. */
const Understood = <Row,>({ filters, given, shownFilters = [] }: ListingProps<Row> & Given) => {
  const told = Object.fromEntries(Object.entries(given).filter(([name]) => !shownFilters.includes(name)));
  return Object.keys(told).length === 0 ? null : (
    <Later>{({ Tokens }) => <Tokens filters={filters} given={told} />}</Later>
  );
};

type Given = { given: Record<string, string> };

/** Rarely used: saved views, and the list as a file. */
const More = <Row,>(props: ListingProps<Row> & Given) => {
  const around = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<'menu' | 'views'>();
  const close = () => setOpen(undefined);
  useDismiss(around, open === 'menu', close);
  return (
    <div class="more" ref={around}>
      <Button
        aria-expanded={open === 'menu'}
        aria-label={translate('More actions')}
        onPress={() => setOpen(open === 'menu' ? undefined : 'menu')}
      >
        <MoreIcon />
      </Button>
      {open === 'menu' && (
        <div class="panel">
          {props.more}
          <Button look="bare" onPress={() => setOpen('views')}>
            {translate('Saved views')}
          </Button>
          <Export {...props} />
        </div>
      )}
      {open === 'views' && <Later>{({ ViewsDialog }) => <ViewsDialog name={props.name} onClose={close} />}</Later>}
    </div>
  );
};

/** Which rows are shown, and the way to the next and back to the first. */
const Pager = <Row,>({ page, isFolded }: { page: Page<Row>; isFolded: boolean }) => {
  const { path, query } = address.value;
  const before = Number(query.get('after') ?? 0);
  const fields = Object.fromEntries(query);
  const last = before + page.list.length;
  if (page.list.length === 0 && before === 0 && page.next_cursor === null) return null;
  const shown = page.list.length === 0 ? translate('None here') : isFolded ? '' : `${before + 1}–${last}`;
  return (
    <nav class="pager" aria-label={translate('Pages')}>
      <p>
        {page.totalResult === undefined || isFolded
          ? shown
          : translate('{shown} of {total}', { shown, total: countText(Math.max(page.totalResult, last)) })}
        {page.note && <span class="beneath">{page.note}</span>}
      </p>
      <div class="buttons">
        {before > 0 && (
          <a class="button plain" href={link(path, { ...fields, cursor: undefined, after: undefined })}>
            {translate('First page')}
          </a>
        )}
        {page.next_cursor !== null && presentSize() < fullSize && (
          <a class="button plain" href={link(path, { ...fields, size: String(fullSize) })}>
            {translate('Show {count}', { count: fullSize })}
          </a>
        )}
        {page.next_cursor !== null && (
          <a class="button plain" href={link(path, { ...fields, cursor: page.next_cursor, after: String(last) })}>
            {translate('Next page')}
          </a>
        )}
      </div>
    </nav>
  );
};

/** All pages of the list as a file, up to ten thousand rows. */
const Export = <Row,>({ name, load, keyOf, csvOf, given }: ListingProps<Row> & { given: Record<string, string> }) => {
  const save = async () => {
    const { rows: shown, isCut } = await readAllPages(load, given, keyOf);
    saveFile(csvName(name, Object.values(given), serviceNow()), csvText(shown.flatMap(csvOf)));
    say(
      isCut
        ? translateCount(shown.length, 'The first row was saved.', 'The first {count} rows were saved.')
        : translateCount(shown.length, '{count} row was saved.', '{count} rows were saved.'),
    );
  };
  const tell = (error: unknown) => say(error instanceof Error ? error.message : String(error), 'bad');
  return (
    <Button look="bare" onPress={() => save().catch(tell)}>
      {translate('Save as CSV')}
    </Button>
  );
};
