import type { listTransactionsOperation as ListTransactionsOperation } from '#payments/transactions/api/list-transactions/operation.ts';
import { address, link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { cardText } from '../parts/card-text.ts';
import { Listing } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import type { Filter } from '../parts/narrow-pages.ts';
import { amountFilters, networkFilter } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { SiteText } from '../parts/site-name.tsx';
import type { Column } from '../parts/table.tsx';
import { PaymentTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { moneyStatus } from './payment-words.ts';

const listTransactions = remote<typeof ListTransactionsOperation>({
  path: '/api/v3/service_process/transactions/list',
});
type PaymentRow = RowOf<typeof ListTransactionsOperation>;

const statuses = ['OK', 'PEND', 'EXC'] as const;
const actions = ['PAYMENT', 'PREAUTH', 'CAPTURE', 'REFUND', 'VOID', 'PAYOUT'] as const;

const filters: readonly Filter<PaymentRow>[] = [
  {
    name: 'status',
    label: translate('Status'),
    choices: statuses.map((value) => ({ value, label: paymentWords(value) })),
  },
  {
    name: 'tx_action',
    label: translate('Action'),
    choices: actions.map((value) => ({ value, label: stateWords(value) })),
  },
  {
    name: 'money',
    label: translate('Money'),
    choices: (['disputed', 'charged_back', 'refunded', 'partly_refunded'] as const).map((value) => ({
      value,
      label: stateWords(value),
    })),
    keeps: ({ money_state: state }, value) => state === value,
  },
  networkFilter,
  ...amountFilters,
  { name: 'card_firstsix', label: translate('Card begins with'), hint: translate('Six digits'), fits: /^\d{6}$/ },
  { name: 'card_lastfour', label: translate('Card ends in'), hint: translate('Four digits'), fits: /^\d{4}$/ },
  { name: 'tid', label: translate('Your number (tid)') },
  { name: 'txid', label: translate('Transaction number'), type: 'number', fits: /^1\d{15}$/ },
  siteFilter,
  ...spanFilters(translate('Created')),
];

function paymentWords(status: string): string {
  return status === 'OK' ? translate('Done') : stateWords(status);
}

const columns: readonly Column<PaymentRow>[] = [
  {
    label: translate('Amount'),
    isMain: true,
    cell: ({ amount, currency, tx_action: action, card }) => (
      <>
        {amountText(amount, currency)}
        <span class="unseen">, {cardText(card ?? '')}</span>
        {action !== 'PAYMENT' && <span class="beneath">{stateWords(action)}</span>}
      </>
    ),
  },
  { label: translate('Card'), isPlain: true, isShort: true, cell: ({ card }) => <CardNumber card={card ?? ''} /> },
  {
    label: translate('Status'),
    isPlain: true,
    cell: (row) => (
      <>
        <Badge {...moneyStatus(row)} />
        {row.error_msg && <span class="beneath">{row.error_msg}</span>}
      </>
    ),
  },
  { label: translate('Site'), isPlain: true, isExtra: true, cell: ({ sid }) => <SiteText sid={sid} /> },
  { label: translate('Your number'), cell: ({ tid }) => tid || '–' },
  { label: translate('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
];

const views = [
  { label: translate('All'), query: {} },
  { label: translate('Disputed'), query: { money: 'disputed' } },
  { label: translate('Charged back'), query: { money: 'charged_back' } },
  { label: translate('Refunded'), query: { money: 'refunded' } },
  { label: translate('Failed'), query: { status: 'EXC' } },
] as const;

/** The filters that are asked for most. */
const QuickViews = () => {
  const { query } = address.value;
  const isChosen = (wanted: Readonly<Record<string, string>>) =>
    ['money', 'status'].every((name) => (query.get(name) ?? undefined) === wanted[name]);
  return (
    <nav class="whose" aria-label={translate('Payments')}>
      {views.map(({ label, query: wanted }) => (
        <a key={label} href={link('/payments', wanted)} aria-current={isChosen(wanted) ? 'true' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
};

const load = loadPages(listTransactions, filters);

/** Card payments and what was done to them. */
export const Payments = () => (
  <Screen title={translate('Payments')} lede={translate('Card payments, captures, refunds and payouts.')}>
    <PaymentTabs at="/payments" />
    <ByMerchant what={translate('Payments')}>
      <QuickViews />
      <Listing<PaymentRow>
        name="payments"
        caption={translate('Payments')}
        {...{ columns, filters, load }}
        csvOf={(row) => ({ ...row, fraud: row.fraud?.decision })}
        search="payments"
        keyOf={({ txid }) => String(txid)}
        hrefOf={({ parent_txid }) => link(`/payments/${parent_txid}`)}
        empty={<p>{translate('There are no such payments.')}</p>}
      />
    </ByMerchant>
  </Screen>
);
