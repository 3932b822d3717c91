import type { listTransactionsOperation as ListTransactionsOperation } from '#payments/transactions/api/list-transactions/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import type { Filter } from '../parts/narrow-pages.ts';
import { amountFilters, networkFilter } from '../parts/narrow-pages.ts';
import { pagesOf, siteFilter, spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { PaymentTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';

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

/** A payment that was charged back, refunded or disputed is not simply done. */
const MoneyState = ({ state }: { state: NonNullable<PaymentRow['money_state']> }) => (
  <Badge state={state} tone={state === 'charged_back' || state === 'disputed' ? 'bad' : 'warn'} />
);

const columns: readonly Column<PaymentRow>[] = [
  { label: translate('Transaction'), isMain: true, cell: ({ txid }) => String(txid) },
  { label: translate('Action'), isPlain: true, isShort: true, cell: ({ tx_action }) => stateWords(tx_action) },
  {
    label: translate('Amount'),
    isPlain: true,
    isNumber: true,
    cell: ({ amount, currency }) => amountText(amount, currency),
  },
  {
    label: translate('Status'),
    isPlain: true,
    cell: ({ status, money_state: money }) =>
      money === null ? <Badge state={status} label={paymentWords(status)} /> : <MoneyState state={money} />,
  },
  { label: translate('Card'), isPlain: true, isShort: true, cell: ({ card }) => <CardNumber card={card ?? ''} /> },
  { label: translate('Your number'), cell: ({ tid }) => tid || '–' },
  { label: translate('Error'), isPlain: true, isExtra: true, cell: ({ error_msg }) => error_msg ?? '' },
  { label: translate('Created'), cell: ({ created_at }) => <Time at={created_at} /> },
];

const load = pagesOf(listTransactions, filters);

/** Card payments and what was done to them. */
export const Payments = () => (
  <Screen title={translate('Payments')} lede={translate('Card payments, captures, refunds and payouts.')}>
    <PaymentTabs at="/payments" />
    <ByMerchant what={translate('Payments')}>
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
