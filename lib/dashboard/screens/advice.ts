import type { AlertDto, ChargesFound, PaymentDto } from '../app/operations.ts';
import { amountText, isAbove } from '../parts/money.ts';
import type { OrderDto } from './order-operations.ts';
import { claimOf } from './reason-words.ts';

export type Verb = 'refund' | 'already' | 'decline' | 'decide';

export type Reason = {
  /** True if it supports the recommendation, contradicts it, or names a missing fact. */
  side: 'for' | 'against' | 'unknown';
  text: string;
};

export type Advice = {
  verb: Verb;
  /** One sentence. */
  title: string;
  /** At most four, those for it first. */
  reasons: readonly Reason[];
  /** Reason codes for a decline, the best first, because networks accept different ones. */
  codes: readonly string[];
};

type KnownPayment = {
  ledger: Pick<PaymentDto['ledger'], 'refunded' | 'refundable'>;
  three_ds?: Pick<NonNullable<PaymentDto['three_ds']>, 'liability_shift'> | null | undefined;
};
type Delivery = NonNullable<OrderDto['order']['deliveries']>[number];
type KnownOrder = Pick<OrderDto['order'], 'reference' | 'order_date' | 'subscription' | 'deliveries'>;
type KnownCharges = Pick<ChargesFound, 'match'> & {
  transactions: readonly Pick<
    ChargesFound['transactions'][number],
    'matches' | 'charged_back' | 'refunded' | 'refundable' | 'currency'
  >[];
  unasked: readonly Pick<ChargesFound['unasked'][number], 'label' | 'kind'>[];
};

/** The facts of an alert that the advice reads. A fact is undefined if it was not found or could not be read. `now`: milliseconds. */
export type KnownFacts = {
  alert: Pick<AlertDto, 'alert_type' | 'condition_code' | 'amount' | 'currency' | 'transaction_timestamp' | 'case'>;
  payment?: KnownPayment | undefined;
  order?: KnownOrder | undefined;
  charges?: KnownCharges | undefined;
  now: number;
};

const dayMilliseconds = 86_400_000;
/** Networks accept a decline for payments that are older than this. */
const maxAgeDays = 120;

const adviseChargedBack = ({ alert, charges }: KnownFacts): Advice | undefined => {
  const isTaken = alert.case.chargeback?.stands || charges?.transactions.some((one) => one.matches && one.charged_back);
  if (!isTaken) return undefined;
  return {
    verb: 'decline',
    title: 'Decline. The payment was charged back already.',
    reasons: [{ side: 'for', text: 'A refund would pay the cardholder twice.' }],
    codes: ['952.002'],
  };
};

const refundedBefore = ({ alert, payment, charges }: KnownFacts): Advice | undefined => {
  const recorded = alert.case.refunds.find(({ state }) => state === 'done');
  const matching = charges?.transactions.filter(({ matches }) => matches) ?? [];
  const [only] = matching.length === 1 ? matching : [];
  const isGone = (refunded: string, refundable: string | null) =>
    isAbove(refunded, '0') && refundable !== null && !isAbove(refundable, '0');
  const isRefunded =
    (payment && isGone(payment.ledger.refunded, payment.ledger.refundable)) ||
    (only && isGone(only.refunded, only.refundable));
  if (!recorded && !isRefunded && alert.case.suggested_reason !== '951') return undefined;
  const amount = recorded?.amount ? amountText(recorded.amount, recorded.currency ?? '') : undefined;
  return {
    verb: 'already',
    title: 'Already refunded. Tell the network when.',
    reasons: [
      {
        side: 'for',
        text: amount ? `${amount} went back to the cardholder.` : 'Nothing of the payment is left to refund.',
      },
      { side: 'for', text: 'No money moves, and the network can stop the chargeback.' },
    ],
    codes: [],
  };
};

const adviseDuplicate = ({ alert }: KnownFacts): Advice | undefined =>
  alert.case.suggested_reason === '940'
    ? {
        verb: 'decline',
        title: 'Decline. It repeats another alert.',
        reasons: [{ side: 'for', text: 'Another alert about the same payment came before it.' }],
        codes: ['940.002', '940.001', '940.003'],
      }
    : undefined;

const notFound = ({ alert, payment, charges }: KnownFacts): Advice | undefined => {
  if (payment || !charges || alert.case.txid !== null || charges.match !== 'none') return undefined;
  if (charges.unasked.length > 0) {
    const names = charges.unasked.map(({ label, kind }) => label || kind).join(' and ');
    return leaveToPerson('The charge was not found.', [`${names} could not be asked.`]);
  }
  return {
    verb: 'decline',
    title: 'Decline. No charge of yours matches it.',
    reasons: [
      { side: 'for', text: 'Neither the payments taken here nor your processors have a charge that fits.' },
      { side: 'against', text: 'If it is yours all the same, it may become a chargeback.' },
    ],
    codes: ['902.002'],
  };
};

const leaveToPerson = (why: string, missing: readonly string[]): Advice => ({
  verb: 'decide',
  title: `Your call. ${why}`,
  reasons: missing.map((text) => ({ side: 'unknown', text })),
  codes: [],
});

const unclear = ({ payment, charges }: KnownFacts): Advice | undefined => {
  if (payment) return undefined;
  if (!charges) return leaveToPerson('The charge is not known.', ['The search for the charge failed.']);
  if (charges.match === 'one') return undefined;
  return charges.match === 'many'
    ? leaveToPerson('Several charges match.', ['Compare them before you refund one.'])
    : leaveToPerson('No charge is certain.', ['Compare the most likely charge with the alert.']);
};

const tooOld = ({ alert, now }: KnownFacts): Advice | undefined => {
  const days = Math.floor((now - Date.parse(alert.transaction_timestamp)) / dayMilliseconds);
  if (!(days > maxAgeDays)) return undefined;
  return {
    verb: 'decline',
    title: `Decline. The payment is ${days} days old.`,
    reasons: [{ side: 'for', text: `Networks accept a decline for payments older than ${maxAgeDays} days.` }],
    codes: ['953.002'],
  };
};

/** The cost of a chargeback, as a reason to refund. */
const lossOf = ({ alert }: KnownFacts): Reason => ({
  side: 'for',
  text: `A chargeback takes ${amountText(alert.amount, alert.currency)} as well, with your processor’s fee, and counts towards the card programmes.`,
});

const forFraud = (facts: KnownFacts): Advice => {
  const shift = facts.payment?.three_ds?.liability_shift;
  if (shift === true) {
    return {
      verb: 'decline',
      title: 'Decline. The issuer bears fraud on this payment.',
      reasons: [
        { side: 'for', text: '3-D Secure authenticated the cardholder, and liability shifted to the issuer.' },
        { side: 'against', text: 'A fraud report still counts towards the card programmes.' },
      ],
      codes: ['954.002'],
    };
  }
  const delivered = deliveredOf(facts.order);
  return {
    verb: 'refund',
    title: facts.payment
      ? 'Refund. You bear fraud on this payment.'
      : 'Refund. Nothing here makes the issuer bear fraud.',
    reasons: [
      facts.payment
        ? {
            side: 'for',
            text: facts.payment.three_ds
              ? '3-D Secure shifted no liability to the issuer.'
              : 'The payment was made without 3-D Secure.',
          }
        : { side: 'unknown', text: 'Whether your processor authenticated the cardholder is not recorded here.' },
      lossOf(facts),
      ...(delivered ? [{ side: 'against', text: `${delivered} The goods are gone either way.` } as const] : []),
    ],
    codes: ['957.002', '900.002'],
  };
};

const wasDelivered = ({ status, delivered_at, downloaded_at }: Delivery): boolean =>
  status === 'delivered' || Boolean(delivered_at) || Boolean(downloaded_at);

/** A sentence that the whole order was delivered; undefined if it was not, or if that is unknown. */
const deliveredOf = (order: KnownOrder | undefined): string | undefined => {
  const deliveries = order?.deliveries ?? [];
  if (deliveries.length === 0 || !deliveries.every(wasDelivered)) return undefined;
  const last = deliveries.at(-1);
  const at = (last?.delivered_at ?? last?.downloaded_at ?? '').slice(0, 10);
  const proof = [
    last?.tracking_number && `tracking number ${last.tracking_number}`,
    last?.signed_by && `signed by ${last.signed_by}`,
  ].filter(Boolean);
  return `Delivered${at ? ` on ${at}` : ''}${proof.length > 0 ? `, ${proof.join(', ')}` : ''}.`;
};

const forNotReceived = (facts: KnownFacts): Advice => {
  const delivered = deliveredOf(facts.order);
  if (delivered) {
    return {
      verb: 'decline',
      title: 'Decline. The order was delivered.',
      reasons: [
        { side: 'for', text: delivered },
        { side: 'against', text: 'The bank may still charge it back; the same proof answers that.' },
      ],
      codes: ['957.002', '956.002', '900.002'],
    };
  }
  return {
    verb: 'refund',
    title: 'Refund. No delivery can be proven.',
    reasons: [
      {
        side: 'for',
        text: facts.order?.deliveries?.length
          ? 'The order has not been delivered yet.'
          : 'No delivery is recorded for the order.',
      },
      lossOf(facts),
    ],
    codes: ['900.002'],
  };
};

const forCancelled = (facts: KnownFacts): Advice => {
  const cancelledAt = facts.order?.subscription?.cancelled_at;
  return {
    verb: 'refund',
    title: 'Refund. The cardholder says that they cancelled.',
    reasons: [
      ...(cancelledAt
        ? [{ side: 'for', text: `The subscription was cancelled on ${cancelledAt.slice(0, 10)}.` } as const]
        : [{ side: 'unknown', text: 'No cancellation is recorded for the order.' } as const]),
      lossOf(facts),
    ],
    codes: ['957.002', '900.002'],
  };
};

const byClaim = (facts: KnownFacts): Advice => {
  const claim = claimOf(facts.alert);
  if (claim === 'fraud') return forFraud(facts);
  if (claim === 'not_received') return forNotReceived(facts);
  if (claim === 'cancelled') return forCancelled(facts);
  return {
    ...leaveToPerson('No fact here proves either side.', [
      claim === 'not_as_described'
        ? 'Whether the goods were as described is not recorded.'
        : 'What was agreed with the cardholder is not recorded.',
    ]),
    codes: ['957.002', '900.002'],
  };
};

/** Recommends an answer to an alert, with reasons. The first check that applies decides. */
export const adviseOn = (facts: KnownFacts): Advice =>
  adviseChargedBack(facts) ??
  refundedBefore(facts) ??
  adviseDuplicate(facts) ??
  notFound(facts) ??
  tooOld(facts) ??
  unclear(facts) ??
  byClaim(facts);

/** The facts that support a decline, as a comment for the network. */
export const evidenceText = (facts: KnownFacts): string =>
  [
    deliveredOf(facts.order),
    facts.payment?.three_ds?.liability_shift === true &&
      '3-D Secure authenticated the cardholder; liability shifted to the issuer.',
    facts.order && `Order ${facts.order.reference} of ${facts.order.order_date.slice(0, 10)}.`,
  ]
    .filter(Boolean)
    .join(' ');

export const adviceWords: Readonly<Record<Verb, string>> = {
  refund: 'Refund',
  already: 'Already refunded',
  decline: 'Decline',
  decide: 'Your call',
};
