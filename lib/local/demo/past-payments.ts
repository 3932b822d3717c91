import type { Site } from '#accounts/merchants/site/site.ts';
import { fingerprintOf, type KeptCard } from '#core/kernel/card/card.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { parseAmount } from '#core/kernel/money/money.ts';
import type { Write } from '#core/platform/table/table.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { keptMoney } from '#payments/payments/kept-money.ts';
import { type DeclineCode, declineCodes } from '#payments/processors/decline-codes.ts';
import { sandboxRoute } from '#payments/processors/routing/routing.ts';
import { operationMark, paymentId, writeReference } from '#payments/processors/sandbox/sandbox-reference.ts';
import { emptyLedger, type Ledger } from '#payments/transactions/ledger/ledger.ts';
import { begin, reserveInLedger, settleReservation } from '#payments/transactions/ledger/ledger-changes.ts';
import { ledgerWrites } from '#payments/transactions/ledger/ledger-row.ts';
import { newIdempotencyKey, type Transaction } from '#payments/transactions/transaction/transaction.ts';
import { newTransactionWrite, transactionReferenceWrite } from '#payments/transactions/transaction/transaction-row.ts';
import type { Chance } from './seeded-chance.ts';

const { minute, hour, day } = milliseconds;
const pastDays = 60;

const cards = [
  { scheme: 'VISA', number: '4242424242424242' },
  { scheme: 'VISA', number: '4000056655665556' },
  { scheme: 'VISA', number: '4111111111111111' },
  { scheme: 'MASTERCARD', number: '5555555555554444' },
  { scheme: 'MASTERCARD', number: '2223003122003222' },
  { scheme: 'AMEX', number: '378282246310005' },
] as const;

const keptCardOf = (ring: KeyRing, { scheme, number }: (typeof cards)[number]): KeptCard => ({
  scheme,
  first6: number.slice(0, 6),
  last4: number.slice(-4),
  token: fingerprintOf(ring, number),
});

const buyers = ['ada', 'grace', 'alan', 'edsger', 'barbara', 'donald', 'radia'] as const;
const declines = ['card_declined', 'insufficient_funds', 'do_not_honor', 'incorrect_cvc', 'expired_card'] as const;

type Made = { number: number; site: Site; chance: Chance; ring: KeyRing; now: number };

const blankPayment = ({ number, site, chance, ring, now }: Made): Transaction => {
  const txid = newTimedId();
  const at = iso(now - chance.between(1, pastDays * 24) * hour - chance.between(0, 59) * minute);
  const buyer = chance.pick(buyers);
  return {
    txid,
    parentTxid: txid,
    sid: site.sid,
    mid: site.mid,
    rid: site.rid,
    action: 'PAYMENT',
    status: 'PEND',
    // Whole amounts, as the cents decide the sandbox's behaviour.
    money: keptMoney({ minor: BigInt(chance.between(8, 260) * 100), currency: 'USD' }),
    tid: `order-${String(number).padStart(5, '0')}`,
    reference: `Order ${number}`,
    refs: [null, null, null, null],
    descriptor: 'DEMO SHOP',
    processor: 'sandbox',
    routeId: sandboxRoute.id,
    processorReference: null,
    idempotencyKey: newIdempotencyKey(txid),
    arn: null,
    authCode: null,
    error: null,
    nextAction: null,
    card: keptCardOf(ring, chance.pick(cards)),
    email: `${buyer}@example.com`,
    postbackUrl: null,
    conversion: null,
    fraud: null,
    alertId: null,
    nextCheckAt: null,
    checks: 0,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
};

const failPayment = (payment: Transaction, code: DeclineCode): Transaction => ({
  ...payment,
  status: 'EXC',
  error: { code, message: declineCodes[code].msg },
});

const takePayment = (payment: Transaction, { ring, chance }: Made): Transaction => {
  const { sid, idempotencyKey, money, createdAt } = payment;
  const processorReference = writeReference(ring, sid, {
    kind: 'pay',
    id: paymentId(sid, idempotencyKey),
    minor: BigInt(money.minor),
    currency: money.currency,
    capture: true,
    begunAt: Date.parse(createdAt),
  });
  return { ...payment, status: 'OK', processorReference, authCode: String(chance.between(100_000, 999_999)) };
};

/** A refund of a part or the whole, a day or more after the payment. */
const makeRefund = (payment: Transaction, { ring, chance, now }: Made): Transaction => {
  const txid = newTimedId();
  const idempotencyKey = newIdempotencyKey(txid);
  const at = iso(Math.min(now, Date.parse(payment.createdAt) + chance.between(1, 9) * day));
  const whole = BigInt(payment.money.minor);
  const reference = {
    kind: 'refund',
    id: paymentId(payment.sid, payment.idempotencyKey),
    operation: operationMark(idempotencyKey),
  } as const;
  return {
    ...payment,
    txid,
    action: 'REFUND',
    money: { ...payment.money, minor: String(chance.next() < 0.5 ? whole : whole / 2n) },
    tid: null,
    idempotencyKey,
    processorReference: writeReference(ring, payment.sid, reference),
    by: 'demo',
    createdAt: at,
    updatedAt: at,
  };
};

const makeLedger = (payment: Transaction, refunds: readonly Transaction[]): Ledger => {
  const { txid, sid, money, status } = payment;
  const begun = begin(emptyLedger(txid, sid, money.currency), txid, 'AUTH', BigInt(money.minor));
  const paid = settleReservation(begun, { txid, succeeded: status === 'OK', captures: true });
  return refunds.reduce((ledger, refund) => {
    const wanted = { txid: refund.txid, kind: 'REFUND', minor: BigInt(refund.money.minor), alertId: null } as const;
    return settleReservation(reserveInLedger(ledger, wanted), { txid: refund.txid, succeeded: true });
  }, paid);
};

/** The rows of one payment of the past: one in six was declined, one in five refunded. */
export const pastPayment = (made: Made): Write[] => {
  const { chance } = made;
  const blank = blankPayment(made);
  const payment = chance.next() < 0.16 ? failPayment(blank, chance.pick(declines)) : takePayment(blank, made);
  return paymentWrites(payment, payment.status === 'OK' && chance.next() < 0.2 ? [makeRefund(payment, made)] : []);
};

type Disputed = Pick<
  ProviderAlert,
  'card' | 'amount' | 'currency' | 'transactionAt' | 'authCode' | 'arn' | 'descriptor'
>;

/** The rows of the payment that an alert is about, or none if it was taken elsewhere. One in six was refunded before. */
export const disputedPayment = (made: Made, { card, amount, currency, ...disputed }: Disputed): Write[] => {
  const { chance, ring } = made;
  const own = cards.find(({ number }) => card.startsWith(number.slice(0, 6)));
  const money = parseAmount(amount, currency);
  if (!own || typeof money === 'string' || chance.next() < 0.15) return [];
  const at = disputed.transactionAt;
  const known = {
    card: keptCardOf(ring, own),
    money: keptMoney(money),
    descriptor: disputed.descriptor,
    createdAt: at,
    updatedAt: at,
  };
  const taken = takePayment({ ...blankPayment(made), ...known }, made);
  const payment = { ...taken, arn: disputed.arn, authCode: disputed.authCode };
  return paymentWrites(payment, chance.next() < 0.16 ? [{ ...makeRefund(payment, made), money: payment.money }] : []);
};

const paymentWrites = (payment: Transaction, refunds: readonly Transaction[]): Write[] => {
  const all = [payment, ...refunds];
  return [
    ...all.map(newTransactionWrite),
    ...all.filter(({ status }) => status === 'OK').flatMap(transactionReferenceWrite),
    ...Object.values(ledgerWrites(null, makeLedger(payment, refunds))).flat(),
  ];
};
