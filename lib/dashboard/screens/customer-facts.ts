import { milliseconds } from '#core/kernel/clock.ts';
import { translate, translateCount } from '../language/translate.ts';
import { amountText } from '../parts/money.ts';
import type { CustomerDto, PurchaseDto } from './customer-operations.ts';
import { findClaim } from './reason-words.ts';

/** What a customer's rows say about who made the purchases. Nothing here is a score, and each sentence is counted from rows. Pure. */

/** A fact, where it is from, and the newest row that says it. */
export type Fact = { text: string; source: string; href: string | undefined };
export type Weighed = { title: string; own: readonly Fact[]; doubt: readonly Fact[]; missing: readonly string[] };

/** After so many days hardly any dispute of a purchase comes. */
const settledDays = 120;

const isPaid = ({ status }: PurchaseDto): boolean => status === 'OK';
const isDisputed = ({ money_state: state }: PurchaseDto): boolean =>
  state === 'charged_back' || state === 'disputed' || state === 'refunded_by_network';

/** How many purchases share the most frequent value. */
const mostAlike = (values: readonly (string | null)[]): number =>
  Math.max(
    0,
    ...[
      ...Map.groupBy(
        values.filter((value) => value !== null),
        (value) => value,
      ).values(),
    ].map((all) => all.length),
  );

type Source = Pick<Fact, 'source' | 'href'>;
const factIf = (n: number, newest: Source, text: (n: number) => string): Fact[] =>
  n > 0 ? [{ text: text(n), ...newest }] : [];

/** The newest row that says a fact, by its name. */
const toPurchase = (one: PurchaseDto | undefined): Source => {
  if (!one || one.txid === null) return toOrder(one);
  const amount = amountText(one.amount, one.currency);
  return { source: translate('Payment of {amount}', { amount }), href: `#/payments/${one.txid}` };
};
const toOrder = (one: PurchaseDto | undefined): Source => {
  if (!one) return { source: translate('Payments and orders'), href: undefined };
  if (one.order_id === null) return toPurchase({ ...one, order_id: one.txid });
  const reference = one.reference || one.purchase_id;
  return { source: translate('Order {reference}', { reference }), href: `#/orders/${one.order_id}` };
};

/** Purchases that one device made, or that came over one connection. */
const alikeFacts = (paid: readonly PurchaseDto[]): Fact[] => {
  const total = paid.length;
  const [alikeDevices, alikeIps] = [mostAlike(paid.map((one) => one.device_id)), mostAlike(paid.map((one) => one.ip))];
  return [
    ...factIf(alikeDevices > 1 ? alikeDevices : 0, toOrder(paid.find((one) => one.device_id !== null)), (count) =>
      translateCount(
        count,
        'One device made {count} of {total} purchases.',
        'One device made {count} of {total} purchases.',
        { total },
      ),
    ),
    ...factIf(alikeIps > 1 ? alikeIps : 0, toOrder(paid.find((one) => one.ip !== null)), (count) =>
      translateCount(
        count,
        '{count} of {total} purchases came over one connection.',
        '{count} of {total} purchases came over one connection.',
        { total },
      ),
    ),
  ];
};

const ownFacts = (paid: readonly PurchaseDto[], now: number): Fact[] => {
  const total = paid.length;
  const [confirmed, delivered] = [
    paid.filter((one) => one.liability_shift === true),
    paid.filter((one) => one.delivered_at !== null),
  ];
  const isSettled = (one: PurchaseDto) => !isDisputed(one) && now - Date.parse(one.at) > settledDays * milliseconds.day;
  return [
    ...factIf(confirmed.length, toPurchase(confirmed[0]), (count) =>
      translateCount(
        count,
        'The bank confirmed the cardholder for {count} of {total} purchases.',
        'The bank confirmed the cardholder for {count} of {total} purchases.',
        { total },
      ),
    ),
    ...factIf(delivered.length, toOrder(delivered[0]), (count) =>
      translateCount(
        count,
        '{count} of {total} purchases was delivered.',
        '{count} of {total} purchases were delivered.',
        { total },
      ),
    ),
    ...alikeFacts(paid),
    ...factIf(paid.filter(isSettled).length, toPurchase(paid.find(isSettled)), (count) =>
      translateCount(
        count,
        '{count} purchase is older than {days} days and was not disputed.',
        '{count} purchases are older than {days} days and were not disputed.',
        { days: settledDays },
      ),
    ),
  ];
};

const toAlert = (one: CustomerDto['alerts'][number] | undefined): Source => ({
  source: one ? translate('Alert of {amount}', { amount: amountText(one.amount, one.currency) }) : translate('Alerts'),
  href: one && `#/alerts/${one.alert_id}`,
});
const toChargeback = (one: CustomerDto['chargebacks'][number] | undefined): Source => ({
  source: one
    ? translate('Chargeback of {amount}', { amount: amountText(one.amount, one.currency) })
    : translate('Chargebacks'),
  href: one && `#/chargebacks/${one.chargeback_id}`,
});

const doubtFacts = ({ alerts, chargebacks, cards, ips, purchases }: CustomerDto): Fact[] => {
  const denied = alerts.filter((alert) => !alert.test && findClaim(alert) === 'fraud');
  const taken = chargebacks.filter(({ status }) => status !== 'won');
  const others = (all: readonly { others: number }[]) => Math.max(0, ...all.map((one) => one.others));
  return [
    ...factIf(denied.length, toAlert(denied[0]), (count) =>
      translateCount(
        count,
        '{count} alert says that the cardholder denies a purchase.',
        '{count} alerts say that the cardholder denies a purchase.',
      ),
    ),
    ...factIf(taken.length, toChargeback(taken[0]), (count) =>
      translateCount(count, '{count} purchase was charged back.', '{count} purchases were charged back.'),
    ),
    ...factIf(others(ips), toOrder(purchases.find(({ ip }) => ip !== null)), (count) =>
      translateCount(
        count,
        '{count} other customer bought over the same connection.',
        '{count} other customers bought over the same connection.',
      ),
    ),
    ...factIf(others(cards), toPurchase(purchases.find(({ card }) => card !== null)), (count) =>
      translateCount(
        count,
        '{count} other customer paid with a card of the same first and last digits.',
        '{count} other customers paid with a card of the same first and last digits.',
      ),
    ),
  ];
};

const missingFacts = (paid: readonly PurchaseDto[]): string[] => [
  ...(paid.every(({ device_id }) => device_id === null) ? [translate('No purchase has the number of a device.')] : []),
  ...(paid.every(({ liability_shift }) => liability_shift === null)
    ? [translate('No payer was authenticated here.')]
    : []),
  ...(paid.every(({ delivered_at }) => delivered_at === null) ? [translate('No delivery is recorded.')] : []),
];

const pickTitle = (count: number, own: readonly Fact[], doubt: readonly Fact[]): string => {
  if (own.length + doubt.length === 0) return translate('The records do not say who made these purchases');
  if (count < 2 && own.length === 0) return translate('There is nothing to compare with: this is the only purchase');
  return translate('{own} say that the purchases are the customer’s own, {doubt} leave a doubt', {
    own: translateCount(own.length, '{count} fact', '{count} facts'),
    doubt: String(doubt.length),
  });
};

/** Both sides, each with its source, and what would settle it. `now`: milliseconds. */
export const weigh = (customer: CustomerDto, now: number): Weighed => {
  const paid = customer.purchases.filter(isPaid);
  const [own, doubt] = [ownFacts(paid, now), doubtFacts(customer)];
  return { title: pickTitle(paid.length, own, doubt), own, doubt, missing: missingFacts(paid) };
};

type Sum = { amount: string; currency: string };

/** What was paid, and what of it went back or is claimed. Test alerts are no money. */
export const sumMoney = ({
  purchases,
  alerts,
  chargebacks,
}: CustomerDto): Record<'paid' | 'refunded' | 'taken' | 'claimed', Sum[]> => ({
  paid: purchases.filter(isPaid).map(({ amount, currency }) => ({ amount, currency })),
  refunded: purchases.flatMap(({ refunds }) => refunds),
  taken: chargebacks
    .filter(({ stage, status }) => stage !== 'inquiry' && status !== 'won')
    .map(({ amount, currency }) => ({ amount, currency })),
  claimed: alerts
    .filter(({ test, status }) => !test && ['OPEN', 'WIP', 'OTHER'].includes(status))
    .map(({ amount, currency }) => ({ amount, currency })),
});

export type Step =
  | { kind: 'purchase'; at: string; purchase: PurchaseDto }
  | { kind: 'refund'; at: string; refund: PurchaseDto['refunds'][number]; purchase: PurchaseDto }
  | { kind: 'alert'; at: string; alert: CustomerDto['alerts'][number] }
  | { kind: 'chargeback'; at: string; chargeback: CustomerDto['chargebacks'][number] }
  | { kind: 'lookup'; at: string; lookup: CustomerDto['lookups'][number] }
  | { kind: 'note'; at: string; note: CustomerDto['notes'][number] };

/** Everything that happened, newest first. */
export const listSteps = ({ purchases, alerts, chargebacks, lookups, notes }: CustomerDto): Step[] =>
  [
    ...purchases.map((purchase): Step => ({ kind: 'purchase', at: purchase.at, purchase })),
    ...purchases.flatMap((purchase) =>
      purchase.refunds.map((refund): Step => ({ kind: 'refund', at: refund.at, refund, purchase })),
    ),
    ...alerts.map((alert): Step => ({ kind: 'alert', at: alert.alert_date, alert })),
    ...chargebacks.map((chargeback): Step => ({ kind: 'chargeback', at: chargeback.opened_at, chargeback })),
    ...lookups.map((lookup): Step => ({ kind: 'lookup', at: lookup.at, lookup })),
    ...notes.map((note): Step => ({ kind: 'note', at: note.at, note })),
  ].toSorted((one, other) => (one.at < other.at ? 1 : -1));

export const shownSteps = {
  all: undefined,
  money: ['purchase', 'refund', 'chargeback'],
  disputes: ['alert', 'chargeback', 'lookup'],
  notes: ['note'],
} as const satisfies Readonly<Record<string, readonly Step['kind'][] | undefined>>;
export type Shown = keyof typeof shownSteps;

/** The steps that a tab of the story shows. */
export const pickSteps = (steps: readonly Step[], shown: Shown): Step[] =>
  steps.filter(({ kind }) => shownSteps[shown]?.some((one) => one === kind) ?? true);

/** A step that moved money, with its sign; `isTaken`: an issuer took it. */
export type Moved = Sum & { at: string; isTaken: boolean };

/** The steps that moved money, the oldest first. A chargeback that was won, or an inquiry, took nothing for good. */
export const listMoved = (customer: CustomerDto): Moved[] =>
  listSteps(customer)
    .toReversed()
    .flatMap((step) => {
      if (step.kind === 'purchase') return isPaid(step.purchase) ? [{ ...toMoved(step.purchase), at: step.at }] : [];
      if (step.kind === 'refund') return [{ ...toMoved(step.refund, '-'), at: step.at }];
      if (step.kind !== 'chargeback') return [];
      const { stage, status } = step.chargeback;
      const isTaken = stage !== 'inquiry' && status !== 'won' && status !== 'refunded_by_network';
      return isTaken ? [{ ...toMoved(step.chargeback, '-'), isTaken, at: step.at }] : [];
    });

const toMoved = ({ amount, currency }: Sum, sign = ''): Omit<Moved, 'at'> => ({
  ...{ amount: `${sign}${amount}`, currency, isTaken: false },
});
