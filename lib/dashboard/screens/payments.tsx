import type { listTransactionsOperation as ListTransactionsOperation } from '#payments/transactions/api/list-transactions/operation.ts';
import { address, link } from '../app/address.ts';
import { remote } from '../app/client.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { cardText } from '../parts/card-text.ts';
import { Day } from '../parts/day.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import { type ListShown, MoneyList, MoneyRows } from '../parts/money-list.tsx';
import type { Filter, Load } from '../parts/narrow-pages.ts';
import { amountFilters, networkFilter } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { type Anchor, RowLines } from '../parts/pane-rows.tsx';
import { SiteText } from '../parts/site-name.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { PaymentPane } from './payment.tsx';
import { foldPayments, type PaymentRow, paymentState, sumPayments, type TransactionRow } from './payment-rows.ts';
import { moneyStatus } from './payment-words.ts';

const listTransactions = remote<typeof ListTransactionsOperation>({
  path: '/api/v3/service_process/transactions/list',
});

const states: readonly (readonly [value: string, label: string])[] = [
  ['PAYMENT', translate('Paid')],
  ...(['disputed', 'charged_back', 'refunded', 'partly_refunded', 'refunded_by_network', 'voided'] as const).map(
    (value) => [value, stateWords(value)] as const,
  ),
  ['PREAUTH', translate('Authorised')],
  ['PAYOUT', stateWords('PAYOUT')],
  ['PEND', stateWords('PEND')],
  ['EXC', stateWords('EXC')],
];

const filters: readonly Filter<TransactionRow>[] = [
  {
    name: 'state',
    label: translate('Status'),
    choices: states.map(([value, label]) => ({ value, label })),
    keeps: (row, value) => paymentState(row) === value,
  },
  ...amountFilters,
  ...spanFilters(translate('Created')),
  siteFilter,
  networkFilter,
  { name: 'card_firstsix', label: translate('Card begins with'), hint: translate('Six digits'), fits: /^\d{6}$/ },
  { name: 'card_lastfour', label: translate('Card ends in'), hint: translate('Four digits'), fits: /^\d{4}$/ },
  { name: 'tid', label: translate('Your number (tid)') },
  { name: 'txid', label: translate('Transaction number'), type: 'number', fits: /^1\d{15}$/ },
];

const tabs = ['', 'disputed', 'charged_back', 'refunded', 'EXC'] as const;

/** The states that are asked for most. */
const StateTabs = () => {
  const { query } = address.value;
  const present = query.get('state') ?? '';
  return (
    <Tabs
      label={translate('Payments')}
      tabs={tabs.map((state) => ({
        href: link('/payments', { ...Object.fromEntries(query), state, payment: '', cursor: '', after: '' }),
        label: state === '' ? translate('All') : stateWords(state),
        isPresent: state === present,
      }))}
    />
  );
};

/** Loads a page. By the states that the service itself filters, no row has to be looked through here. */
const load: Load<TransactionRow> = (given, page, signal) => {
  const { state } = given;
  return loadPages(listTransactions, filters)(
    { ...given, ...((state === 'EXC' || state === 'PEND') && { status: state }) },
    page,
    signal,
  );
};

const idOf = ({ txid }: { txid: number }): string => String(txid);

/** Card payments by their last change, and all about one of them. */
export const Payments = () => (
  <MoneyList
    title={translate('Payments')}
    field="payment"
    {...{ idOf, List }}
    Pane={PaymentPane}
    none={[
      translate('No payment is open'),
      translate('Choose one on the left to see where its money is, and what to do.'),
    ]}
  />
);

const List = (shown: ListShown<PaymentRow>) => (
  <ByMerchant what={translate('Payments')} heading={shown.heading}>
    <PaymentList {...shown} />
  </ByMerchant>
);

const PaymentList = ({ heading, id, version, onShown }: ListShown<PaymentRow>) => (
  <Listing<TransactionRow>
    name="payments"
    caption={translate('Payments')}
    {...{ heading, filters, load, version }}
    csvOf={({ payment: _none, ...row }) => ({ ...row, items: row.items.join(', '), fraud: row.fraud?.decision })}
    search="payments"
    isFolded
    tabs={<StateTabs />}
    more={<a href="#/3ds">{translate('3-D Secure')}</a>}
    shownFilters={tabs.some((state) => state === address.value.query.get('state')) ? ['state'] : []}
    keyOf={idOf}
    onRows={(all) => onShown(foldPayments(all))}
    render={(all) => (
      <MoneyRows
        label={translate('Payments, last changed first')}
        rows={foldPayments(all)}
        at={({ changed_at: at }) => at}
        sumOf={(members) =>
          translateCount(members.length, '{count} payment, {amount}', '{count} payments, {amount}', {
            amount: sumPayments(members),
          })
        }
        field="payment"
        openId={id}
        {...{ Inside, idOf }}
      />
    )}
    empty={<p>{translate('There are no such payments.')}</p>}
  />
);

/** The latest step of a payment in words. */
const changeWords = ({ tx_action, amount, currency, status }: TransactionRow): string => {
  const what = translate('{action} of {amount}', {
    action: stateWords(tx_action),
    amount: amountText(amount, currency),
  });
  return status === 'EXC' ? translate('{what} failed', { what }) : what;
};

const Inside = ({ row, anchor }: { row: PaymentRow; anchor: Anchor }) => {
  const amount = amountText(row.amount, row.currency);
  const card = cardText(row.card ?? '');
  return (
    <RowLines
      anchor={anchor}
      title={row.buyer ?? (card || translate('Payment'))}
      unseen={translate('{amount}, payment {id}', { amount, id: row.txid })}
      amount={amount}
      who={
        <>
          {row.change && (
            <>
              {changeWords(row.change)} (<Day at={row.change.created_at} />
              ),{' '}
            </>
          )}
          {row.card && <CardNumber card={row.card} />}
          {row.card && ', '}
          {row.items.length > 0 ? row.items.join(', ') : <SiteText sid={row.sid} />}
          {row.change === null && (
            <>
              , <Day at={row.created_at} />
            </>
          )}
        </>
      }
      marks={<Badge {...moneyStatus(row)} />}
    />
  );
};
