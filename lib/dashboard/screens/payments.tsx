import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { listTransactionsOperation as ListTransactionsOperation } from '#payments/transactions/api/list-transactions/operation.ts';
import { address, link, setQuery } from '../app/address.ts';
import { remote } from '../app/client.ts';
import { minute } from '../app/clock.ts';
import { zone } from '../app/preferences.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { cardText } from '../parts/card-text.ts';
import { pastGroup } from '../parts/dates.ts';
import { Day } from '../parts/day.tsx';
import { ListAndPane } from '../parts/list-and-pane.tsx';
import { Listing } from '../parts/listing.tsx';
import { amountText } from '../parts/money.ts';
import type { Filter, Load } from '../parts/narrow-pages.ts';
import { amountFilters, networkFilter } from '../parts/narrow-pages.ts';
import { loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { type Anchor, PaneRows, RowLines } from '../parts/pane-rows.tsx';
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

/** Card payments by their last change, and all about one of them. */
export const Payments = () => {
  const [rows, setRows] = useState<readonly PaymentRow[]>([]);
  const [version, setVersion] = useState(0);
  const id = address.value.query.get('payment') ?? rows[0]?.txid;
  return (
    <ListAndPane
      title={translate('Payments')}
      field="payment"
      list={(heading) => (
        <ByMerchant what={translate('Payments')} heading={heading}>
          <List {...{ heading, id, version }} onShown={setRows} />
        </ByMerchant>
      )}
      pane={
        id && (
          <PaymentPane
            key={id}
            id={String(id)}
            heading={(words) => <h1 tabIndex={-1}>{words}</h1>}
            onChanged={() => [setVersion(version + 1), setQuery({ payment: String(id) }, { replace: true })]}
          />
        )
      }
      none={
        <>
          <h2>{translate('No payment is open')}</h2>
          <p>{translate('Choose one on the left to see where its money is, and what to do.')}</p>
        </>
      }
    />
  );
};

type ListProps = {
  heading: ComponentChildren;
  id: string | number | undefined;
  version: number;
  onShown: (rows: readonly PaymentRow[]) => void;
};

const List = ({ heading, id, version, onShown }: ListProps) => (
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
    keyOf={({ txid }) => String(txid)}
    onRows={(all) => onShown(foldPayments(all))}
    render={(all) => (
      <PaneRows
        label={translate('Payments, last changed first')}
        rows={foldPayments(all)}
        groupOf={({ changed_at: at }) => pastGroup(at, minute.value, zone.value)}
        sumOf={(members) =>
          translateCount(members.length, '{count} payment, {amount}', '{count} payments, {amount}', {
            amount: sumPayments(members),
          })
        }
        idOf={({ txid }) => String(txid)}
        field="payment"
        openId={id === undefined ? undefined : String(id)}
        beside={undefined}
        {...{ Inside }}
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
          {row.change && `${changeWords(row.change)}, `}
          {row.card && <CardNumber card={row.card} />}
          {row.card && ', '}
          {row.items.length > 0 ? row.items.join(', ') : <SiteText sid={row.sid} />}, <Day at={row.created_at} />
        </>
      }
      marks={<Badge {...moneyStatus(row)} />}
    />
  );
};
