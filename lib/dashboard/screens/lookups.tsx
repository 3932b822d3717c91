import { useState } from 'preact/hooks';
import type { listLookupsOperation as ListLookupsOperation } from '#disputes/lookups/api/list-lookups/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { listText, translate } from '../language/translate.ts';
import { Badge, stateWords, type Tone } from '../parts/badge.tsx';
import { cardText } from '../parts/card-text.ts';
import { DayList, type Entry } from '../parts/day-list.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import type { Filter } from '../parts/narrow-pages.ts';
import { loadPages, spanFilters } from '../parts/pages.ts';
import { OrderTabs } from '../parts/tabs.tsx';
import { ClockTime } from '../parts/time.tsx';

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

/** The answer to the bank, in a sentence. */
const toldSentence = ({ result, items, provider }: Row): string => {
  const network = stateWords(provider);
  if (result === 'found')
    return items.length > 0
      ? translate('{network} was shown {items}', { network, items: listText(items) })
      : translate('{network} was shown the order', { network });
  if (result === 'not_found') return translate('No order fits');
  if (result === 'multiple') return translate('Several orders fit, so none was shown');
  return result === 'refused' ? translate('The question was refused') : translate('The look-up failed');
};

const outcomeSentences: Readonly<Record<NonNullable<Row['outcome']>, string>> = {
  open: translate('no alert so far'),
  disputed: translate('disputed anyway'),
  deflected: translate('no alert within 120 days'),
};

const toEntry = (row: Row): Entry => {
  const { lookup_id: key, at, order_id: id, buyer, amount, currency, card, outcome, result, reference } = row;
  const money = amount ? amountText(amount, currency ?? '') : translate('No amount named');
  return {
    ...{ key, at },
    ...(id !== null && { href: link(`/orders/${id}`) }),
    title: buyer ?? translate('Buyer not known'),
    text: [
      [money, card && cardText(card)].filter(Boolean).join(', '),
      toldSentence(row),
      outcome && outcomeSentences[outcome],
    ]
      .filter(Boolean)
      .join(' · '),
    side: (
      <>
        <Badge state={result} tone={tones[result]} /> <ClockTime at={at} />
      </>
    ),
    numbers: [reference, translate('{milliseconds} ms', { milliseconds: row.milliseconds })]
      .filter(Boolean)
      .join(' · '),
  };
};

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
        {...{ filters, load }}
        render={(shown) => <DayList caption={translate('Look-ups')} entries={shown.map(toEntry)} />}
        onRows={setRows}
        csvOf={({ shown, items, ...row }) => ({ ...row, items: items.join(', '), shown: shown.join(' ') })}
        keyOf={({ lookup_id }) => lookup_id}
        empty={<p>{translate('No bank has asked about an order yet.')}</p>}
      />
    </Screen>
  );
};
