import { link } from '../app/address.ts';
import { translate, translateCount } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { cardText } from '../parts/card-text.ts';
import { dateText } from '../parts/dates.ts';
import { toInitials } from '../parts/initials.tsx';
import { amountText } from '../parts/money.ts';
import { isAwaited } from './alert-facts.ts';
import { isContestable } from './chargeback-kinds.ts';
import { chargebackReason } from './chargeback-words.ts';
import type { Found } from './finder-operation.ts';
import { reasonWords } from './reason-words.ts';

/** The results of a search, as the palette shows them. Pure. */

/** `mark`: initials, or the time that is left, or nothing. `right`: what matters for the kind, and `status` beneath it. */
export type FinderHit = {
  key: string;
  href: string;
  title: string;
  detail: string;
  right: string;
  status: string;
  mark?: { initials: string } | { from: string; until: string };
};
export type FinderGroup = { key: string; label: string; count: string; hits: readonly FinderHit[] };

const shownOfKind = 2;

const joinWords = (...parts: readonly (string | null | undefined | false)[]): string =>
  parts.filter(Boolean).join(', ');

type Kind<T> = { n: number; more: boolean; list: readonly T[] };

const toGroup = <T>(key: string, labels: [string, string], found: Kind<T>, hitOf: (one: T) => FinderHit) => {
  const hits = found.list.slice(0, shownOfKind).map(hitOf);
  const count = found.more
    ? translate('newest {shown} of more than {count}', { shown: hits.length, count: found.n })
    : found.n > hits.length
      ? translate('newest {shown} of {count}', { shown: hits.length, count: found.n })
      : '';
  return { key, label: found.n === 1 ? labels[0] : labels[1], count: hits.length === 0 ? '' : count, hits };
};

const personHit = (one: Found['people']['list'][number]): FinderHit => {
  const name = one.name ?? one.email ?? one.account_id ?? '';
  return {
    key: `person ${one.purchase_id}`,
    href: link(`/customers/purchase/${one.purchase_id}`),
    title: name,
    detail: joinWords(one.name !== null && one.email, one.account_id),
    right: translateCount(one.purchases, '{count} purchase found', '{count} purchases found'),
    status: translate('last on {date}', { date: dateText(one.last_at) }),
    mark: { initials: toInitials(name) },
  };
};

const alertHit = (one: Found['alerts']['list'][number]): FinderHit => ({
  key: `alert ${one.alert_id}`,
  href: link(`/alerts/${one.alert_id}`),
  title: reasonWords(one),
  detail: joinWords(cardText(one.card), one.site, one.descriptor),
  right: amountText(one.amount, one.currency),
  status: joinWords(one.test && translate('Test'), stateWords(one.status)),
  ...(isAwaited(one) && one.deadline !== null && { mark: { from: one.alert_date, until: one.deadline } }),
});

const chargebackHit = (one: Found['chargebacks']['list'][number]): FinderHit => ({
  key: `chargeback ${one.chargeback_id}`,
  href: link(`/chargebacks/${one.chargeback_id}`),
  title: chargebackReason(one),
  detail: joinWords(stateWords(one.network), one.dispute_reference, dateText(one.opened_at)),
  right: amountText(one.amount, one.currency),
  status: stateWords(one.status),
  ...(isContestable(one) && one.due_by !== null && { mark: { from: one.opened_at, until: one.due_by } }),
});

/** The status of a payment in a word: where its money is, or else what became of the operation. */
export const paymentStatus = ({
  status,
  money_state,
}: Pick<Found['payments']['list'][number], 'status' | 'money_state'>) =>
  money_state === null ? (status === 'OK' ? translate('Paid|payment') : stateWords(status)) : stateWords(money_state);

const paymentHit = (one: Found['payments']['list'][number]): FinderHit => ({
  key: `payment ${one.txid}`,
  href: link(`/payments/${one.parent_txid}`),
  title: one.buyer ?? translate('Payment of {date}', { date: dateText(one.created_at) }),
  detail: joinWords(cardText(one.card ?? ''), one.reference || one.tid, one.buyer && dateText(one.created_at)),
  right: amountText(one.amount, one.currency),
  status: paymentStatus(one),
});

const orderHit = (one: Found['orders']['list'][number]): FinderHit => ({
  key: `order ${one.order_id}`,
  href: link(`/orders/${one.order_id}`),
  title: translate('Order {reference}', { reference: one.reference }),
  detail: joinWords(one.customer, cardText(one.card), dateText(one.order_date)),
  right: amountText(one.amount, one.currency),
  status: one.disputed ? translate('Disputed') : '',
});

/** The kinds in their order, the person first. Kinds without a result are left out. */
export const toGroups = ({ people, alerts, chargebacks, payments, orders }: Found): FinderGroup[] =>
  [
    toGroup('people', [translate('Customer'), translate('Customers')], people, personHit),
    toGroup('alerts', [translate('Alert'), translate('Alerts')], alerts, alertHit),
    toGroup('chargebacks', [translate('Chargeback'), translate('Chargebacks')], chargebacks, chargebackHit),
    toGroup('payments', [translate('Payment'), translate('Payments')], payments, paymentHit),
    toGroup('orders', [translate('Order'), translate('Orders')], orders, orderHit),
  ].filter(({ hits }) => hits.length > 0);

const filterWords: Readonly<Record<string, string>> = {
  ...{ email: translate('E-mail'), card: translate('Card'), amount: translate('Amount'), order: translate('Order') },
  ...{ arn: 'ARN', descriptor: translate('Descriptor'), reference: translate('Reference'), name: translate('Name') },
  ...{
    account: translate('Account'),
    ip: translate('IP address'),
    network: translate('Network'),
    in: translate('Kind'),
  },
  ...{ from: translate('From'), until: translate('Until'), test: translate('Test') },
};

/** A filter that was understood, in words. */
export const tokenWords = ({ filter, value }: Found['understood'][number]): { name: string; value: string } => ({
  name: filterWords[filter] ?? filter,
  value,
});
