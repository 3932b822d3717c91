import { useState } from 'preact/hooks';
import type { listLookupsOperation as ListLookupsOperation } from '#disputes/lookups/api/list-lookups/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge, stateWords, type Tone } from '../parts/badge.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import type { Filter } from '../parts/narrow-pages.ts';
import { loadPages, spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { OrderTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';

const listLookups = remote<typeof ListLookupsOperation>({ path: '/api/v3/orders/lookups' });
type Row = RowOf<typeof ListLookupsOperation>;

const tones: Readonly<Record<Row['result'], Tone>> = {
  found: 'good',
  not_found: 'plain',
  multiple: 'warn',
  refused: 'warn',
  error: 'bad',
};

const filters: readonly Filter[] = [
  {
    name: 'result',
    label: translate('Result'),
    choices: Object.keys(tones).map((value) => ({ value, label: stateWords(value) })),
  },
  {
    name: 'provider',
    label: translate('Network'),
    choices: ['provider_a', 'provider_b'].map((value) => ({ value, label: stateWords(value) })),
  },
  ...spanFilters(translate('Asked')),
];

const columns: readonly Column<Row>[] = [
  {
    label: translate('Amount'),
    isMain: true,
    cell: ({ amount, currency, lookup_id: id }) => (
      <>
        {amount ? amountText(amount, currency ?? '') : translate('No amount named')}
        <span class="unseen">, {id}</span>
      </>
    ),
  },
  { label: translate('Card'), isPlain: true, isShort: true, cell: ({ card }) => <CardNumber card={card ?? ''} /> },
  { label: translate('Result'), isPlain: true, cell: ({ result }) => <Badge state={result} tone={tones[result]} /> },
  {
    label: translate('Order'),
    cell: ({ order_id, reference }) =>
      order_id === null ? '–' : <a href={link(`/orders/${order_id}`)}>{reference ?? order_id}</a>,
  },
  { label: translate('Outcome'), cell: ({ outcome }) => (outcome === null ? '–' : stateWords(outcome)) },
  { label: translate('Asked'), cell: ({ at }) => <Time at={at} /> },
  {
    label: translate('Network'),
    isPlain: true,
    isShort: true,
    isExtra: true,
    cell: ({ provider }) => stateWords(provider),
  },
  {
    label: translate('Time taken'),
    isNumber: true,
    isExtra: true,
    cell: ({ milliseconds }) => translate('{milliseconds} ms', { milliseconds }),
  },
];

/** The number of the shown look-ups in which a bank found an order. */
const toTitle = (rows: readonly Row[]): string | undefined =>
  rows.length === 0
    ? undefined
    : translate('Banks found an order in {count} of the {all} look-ups shown', {
        count: rows.filter(({ result }) => result === 'found').length,
        all: rows.length,
      });

const load = loadPages(listLookups);

/** Lists banks' questions about orders with the answers. */
export const Lookups = () => {
  const [rows, setRows] = useState<readonly Row[]>([]);
  return (
    <Screen
      title={translate('Look-ups')}
      heading={toTitle(rows)}
      lede={translate('What banks asked about orders, and what they were shown.')}
    >
      <OrderTabs at="/lookups" />
      <Listing<Row>
        name="lookups"
        caption={translate('Look-ups')}
        {...{ columns, filters, load }}
        onRows={setRows}
        csvOf={({ shown, ...row }) => ({ ...row, shown: shown.join(' ') })}
        keyOf={({ lookup_id }) => lookup_id}
        empty={<p>{translate('No bank has asked about an order yet.')}</p>}
      />
    </Screen>
  );
};
