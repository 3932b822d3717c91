import { milliseconds } from '#core/kernel/clock.ts';
import type { AlertDto, ChargesFound, PaymentDto } from '../app/operations.ts';
import { inEnglish, listText, translate } from '../language/translate.ts';
import { amountText, isAbove } from '../parts/money.ts';
import { findCertain } from './certain-charge.ts';
import type { OrderDto } from './order-operations.ts';
import { findClaim } from './reason-words.ts';

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

type KnownPayment = Pick<PaymentDto, 'txid'> & {
  ledger: Pick<PaymentDto['ledger'], 'refunded' | 'refundable'>;
  three_ds?: Pick<NonNullable<PaymentDto['three_ds']>, 'liability_shift'> | null | undefined;
};
type Delivery = NonNullable<OrderDto['order']['deliveries']>[number];
type KnownOrder = Pick<OrderDto['order'], 'reference' | 'order_date' | 'subscription' | 'deliveries'>;
type KnownCharges = Pick<ChargesFound, 'match'> & {
  transactions: readonly Pick<
    ChargesFound['transactions'][number],
    'txid' | 'matches' | 'charged_back' | 'refunded' | 'refundable' | 'currency'
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

/** Networks accept a decline for payments that are older than this. */
const maxAgeDays = 120;

const adviseChargedBack = (facts: KnownFacts): Advice | undefined => {
  const isTaken = facts.alert.case.chargeback?.stands || findCertain(facts)?.charge?.charged_back;
  if (!isTaken) return undefined;
  return {
    verb: 'decline',
    title: translate('Decline. The payment was charged back already.'),
    reasons: [{ side: 'for', text: translate('A refund would pay the cardholder twice.') }],
    codes: ['952.002'],
  };
};

const refundedBefore = (facts: KnownFacts): Advice | undefined => {
  const { alert, payment } = facts;
  const recorded = alert.case.refunds.find(({ state }) => state === 'done');
  const only = findCertain(facts)?.charge;
  const isGone = (refunded: string, refundable: string | null) =>
    isAbove(refunded, '0') && refundable !== null && !isAbove(refundable, '0');
  const isRefunded =
    (payment && isGone(payment.ledger.refunded, payment.ledger.refundable)) ||
    (only && isGone(only.refunded, only.refundable));
  if (!recorded && !isRefunded && alert.case.suggested_reason !== '951') return undefined;
  const amount = recorded?.amount ? amountText(recorded.amount, recorded.currency ?? '') : undefined;
  return {
    verb: 'already',
    title: translate('Already refunded. Tell the network when.'),
    reasons: [
      {
        side: 'for',
        text: amount
          ? translate('{amount} went back to the cardholder.', { amount })
          : translate('Nothing of the payment is left to refund.'),
      },
      { side: 'for', text: translate('No money moves, and the network can stop the chargeback.') },
    ],
    codes: [],
  };
};

const adviseDuplicate = ({ alert }: KnownFacts): Advice | undefined =>
  alert.case.suggested_reason === '940'
    ? {
        verb: 'decline',
        title: translate('Decline. It repeats another alert.'),
        reasons: [{ side: 'for', text: translate('Another alert about the same payment came before it.') }],
        codes: ['940.002', '940.001', '940.003'],
      }
    : undefined;

const notFound = ({ alert, payment, charges }: KnownFacts): Advice | undefined => {
  if (payment || !charges || alert.case.txid !== null || charges.match !== 'none') return undefined;
  if (charges.unasked.length > 0) {
    const names = listText(charges.unasked.map(({ label, kind }) => label || kind));
    return leaveToPerson(translate('The charge was not found.'), [translate('{names} could not be asked.', { names })]);
  }
  return {
    verb: 'decline',
    title: translate('Decline. No charge of yours matches it.'),
    reasons: [
      { side: 'for', text: translate('Neither the payments taken here nor your processors have a charge that fits.') },
      { side: 'against', text: translate('If it is yours after all, it may become a chargeback.') },
    ],
    codes: ['902.002'],
  };
};

const leaveToPerson = (why: string, missing: readonly string[]): Advice => ({
  verb: 'decide',
  title: translate('Your call. {why}', { why }),
  reasons: missing.map((text) => ({ side: 'unknown', text })),
  codes: [],
});

const unclear = (facts: KnownFacts): Advice | undefined => {
  if (findCertain(facts)) return undefined;
  const { charges } = facts;
  if (!charges)
    return leaveToPerson(translate('The charge is not known.'), [translate('The search for the charge failed.')]);
  return charges.match === 'many'
    ? leaveToPerson(translate('Several charges match.'), [translate('Compare them before you refund one.')])
    : leaveToPerson(translate('No charge is certain.'), [translate('Compare the most likely charge with the alert.')]);
};

const tooOld = ({ alert, now }: KnownFacts): Advice | undefined => {
  const days = Math.floor((now - Date.parse(alert.transaction_timestamp)) / milliseconds.day);
  if (!(days > maxAgeDays)) return undefined;
  return {
    verb: 'decline',
    title: translate('Decline. The payment is {days} days old.', { days }),
    reasons: [
      {
        side: 'for',
        text: translate('Networks accept a decline for payments older than {days} days.', { days: maxAgeDays }),
      },
    ],
    codes: ['953.002'],
  };
};

/** The cost of a chargeback, as a reason to refund. */
const lossReason = ({ alert }: KnownFacts): Reason => ({
  side: 'for',
  text: translate(
    'A chargeback takes {amount} as well, with your processor’s fee, and counts towards the card programmes.',
    { amount: amountText(alert.amount, alert.currency) },
  ),
});

const forFraud = (facts: KnownFacts): Advice => {
  const shift = facts.payment?.three_ds?.liability_shift;
  if (shift === true) {
    return {
      verb: 'decline',
      title: translate('Decline. The issuer bears fraud on this payment.'),
      reasons: [
        {
          side: 'for',
          text: translate('3-D Secure authenticated the cardholder, and liability shifted to the issuer.'),
        },
        { side: 'against', text: translate('A fraud report still counts towards the card programmes.') },
      ],
      codes: ['954.002'],
    };
  }
  const delivered = lastDelivered(facts.order);
  return {
    verb: 'refund',
    title: facts.payment
      ? translate('Refund. You bear fraud on this payment.')
      : translate('Refund. Nothing here makes the issuer bear fraud.'),
    reasons: [
      facts.payment
        ? {
            side: 'for',
            text: facts.payment.three_ds
              ? translate('3-D Secure shifted no liability to the issuer.')
              : translate('The payment was made without 3-D Secure.'),
          }
        : {
            side: 'unknown',
            text: translate('Whether your processor authenticated the cardholder is not recorded here.'),
          },
      lossReason(facts),
      ...(delivered
        ? [{ side: 'against', text: translate('{delivered} The goods are gone either way.', { delivered }) } as const]
        : []),
    ],
    codes: ['957.002', '900.002'],
  };
};

const wasDelivered = ({ status, delivered_at, downloaded_at }: Delivery): boolean =>
  status === 'delivered' || Boolean(delivered_at) || Boolean(downloaded_at);

/** A sentence that the whole order was delivered; undefined if it was not, or if that is unknown. */
const lastDelivered = (order: KnownOrder | undefined): string | undefined => {
  const deliveries = order?.deliveries ?? [];
  if (deliveries.length === 0 || !deliveries.every(wasDelivered)) return undefined;
  const last = deliveries.at(-1);
  const at = (last?.delivered_at ?? last?.downloaded_at ?? '').slice(0, 10);
  const proof = [
    last?.tracking_number && translate('tracking number {number}', { number: last.tracking_number }),
    last?.signed_by && translate('signed by {name}', { name: last.signed_by }),
  ].filter(Boolean);
  const delivered = at ? translate('Delivered on {date}', { date: at }) : translate('Delivered');
  return `${[delivered, ...proof].join(', ')}.`;
};

const forNotReceived = (facts: KnownFacts): Advice => {
  const delivered = lastDelivered(facts.order);
  if (delivered) {
    return {
      verb: 'decline',
      title: translate('Decline. The order was delivered.'),
      reasons: [
        { side: 'for', text: delivered },
        { side: 'against', text: translate('The bank may still charge it back; the same proof answers that.') },
      ],
      codes: ['957.002', '956.002', '900.002'],
    };
  }
  return {
    verb: 'refund',
    title: translate('Refund. No delivery can be proven.'),
    reasons: [
      {
        side: 'for',
        text: facts.order?.deliveries?.length
          ? translate('The order has not been delivered yet.')
          : translate('No delivery is recorded for the order.'),
      },
      lossReason(facts),
    ],
    codes: ['900.002'],
  };
};

const forCancelled = (facts: KnownFacts): Advice => {
  const cancelledAt = facts.order?.subscription?.cancelled_at;
  return {
    verb: 'refund',
    title: translate('Refund. The cardholder says that they cancelled.'),
    reasons: [
      ...(cancelledAt
        ? [
            {
              side: 'for',
              text: translate('The subscription was cancelled on {date}.', {
                date: cancelledAt.slice(0, 10),
              }),
            } as const,
          ]
        : [{ side: 'unknown', text: translate('No cancellation is recorded for the order.') } as const]),
      lossReason(facts),
    ],
    codes: ['957.002', '900.002'],
  };
};

const byClaim = (facts: KnownFacts): Advice => {
  const claim = findClaim(facts.alert);
  if (claim === 'fraud') return forFraud(facts);
  if (claim === 'not_received') return forNotReceived(facts);
  if (claim === 'cancelled') return forCancelled(facts);
  return {
    ...leaveToPerson(translate('No fact here proves either side.'), [
      claim === 'not_as_described'
        ? translate('Whether the goods were as described is not recorded.')
        : translate('What was agreed with the cardholder is not recorded.'),
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

/** The facts that support a decline, as a comment for the network, which is in English. */
export const evidenceText = (facts: KnownFacts): string =>
  inEnglish(() =>
    [
      lastDelivered(facts.order),
      facts.payment?.three_ds?.liability_shift === true &&
        translate('3-D Secure authenticated the cardholder; liability shifted to the issuer.'),
      facts.order &&
        translate('Order {reference} of {date}.', {
          reference: facts.order.reference,
          date: facts.order.order_date.slice(0, 10),
        }),
    ]
      .filter(Boolean)
      .join(' '),
  );

export const adviceWords: Readonly<Record<Verb, string>> = {
  refund: translate('Refund'),
  already: translate('Already refunded'),
  decline: translate('Decline'),
  decide: translate('Your call'),
};
