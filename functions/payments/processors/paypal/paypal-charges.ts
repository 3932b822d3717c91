import * as v from 'valibot';
import { brandNamed } from '#core/kernel/card/schemes.ts';
import { exponentOf, formatAmount, type Money, parseAmount, withoutZeroFraction } from '#core/kernel/money/money.ts';
import { toProcessorAmount } from '../amounts.ts';
import { type ChargeCandidate, refusedOutcome } from '../ports/connected-processor.ts';
import { makeReader, SentTime } from '../ports/outside-data.ts';
import type { ProcessorResult } from '../ports/processor.ts';

/**
 * Captures, orders and refunds of PayPal: https://developer.paypal.com/docs/api/payments/v2/ and https://developer.paypal.com/docs/api/orders/v2/. The
 * card and the refunds are in the order. Pure.
 */

const text = v.nullish(v.string(), '');

const Amount = v.pipe(
  v.object({ currency_code: v.string(), value: v.string() }),
  v.transform(({ value, currency_code: currency }) => parseAmount(withoutZeroFraction(value, currency), currency)),
  v.custom<Money>((money) => typeof money !== 'string'),
);

/** A capture; or an authorisation, whose statuses differ. */
const Payment = v.object({
  id: v.string(),
  status: v.string(),
  amount: Amount,
  create_time: SentTime,
  invoice_id: text,
  supplementary_data: v.nullish(v.object({ related_ids: v.nullish(v.object({ order_id: text })) })),
  network_transaction_reference: v.nullish(v.object({ id: text, acquirer_reference_number: text })),
});
type Payment = v.InferOutput<typeof Payment>;

const Refund = v.object({
  id: v.string(),
  status: v.string(),
  amount: Amount,
  create_time: v.nullish(SentTime),
  custom_id: text,
  links: v.nullish(v.array(v.object({ href: text, rel: text })), []),
});
export type PayPalRefund = v.InferOutput<typeof Refund>;

const Card = v.object({ last_digits: text, brand: text, bin_details: v.nullish(v.object({ bin: text })) });
const Order = v.object({
  payment_source: v.nullish(v.object({ card: v.nullish(Card) })),
  purchase_units: v.nullish(
    v.array(
      v.object({
        soft_descriptor: text,
        payments: v.nullish(
          v.object({
            captures: v.nullish(v.array(v.object({ id: v.string() })), []),
            refunds: v.nullish(v.array(Refund), []),
          }),
        ),
      }),
    ),
    [],
  ),
});
type Order = v.InferOutput<typeof Order>;

export const readPayPalPayment = makeReader(Payment);
export const readPayPalOrder = makeReader(Order);
export const readPayPalRefund = makeReader(Refund);

export const payPalOrderId = ({ supplementary_data: data }: Payment): string => data?.related_ids?.order_id ?? '';

/** PayPal takes no decimals of these, though they have two: https://developer.paypal.com/api/rest/reference/currency-codes/ */
const wholeOnly: readonly string[] = ['HUF', 'TWD'];

/** An amount as PayPal writes it; undefined if it cannot. */
export const payPalAmountOf = (money: Money): { currency_code: string; value: string } | undefined => {
  const { currency, minor } = money;
  if (exponentOf(currency) === undefined || minor <= 0n) return undefined;
  if (!wholeOnly.includes(currency)) return { currency_code: currency, value: formatAmount(money) };
  const whole = toProcessorAmount(money, { exponent: 0, step: 1 });
  return whole === undefined ? undefined : { currency_code: currency, value: String(whole) };
};

const capturedStatuses: readonly string[] = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'];
const failedStatuses: readonly string[] = ['DECLINED', 'FAILED', 'DENIED', 'EXPIRED'];

const listUnits = ({ purchase_units: units }: Order) => units ?? [];

/** The refunds of a capture; undefined if the order has one that may be of another capture. */
export const payPalRefundsOf = (capture: string, order: Order): readonly PayPalRefund[] | undefined => {
  const payments = listUnits(order).flatMap((unit) => unit.payments ?? []);
  const refunds = payments.flatMap((one) => one.refunds ?? []);
  const isOnly = payments.flatMap((one) => one.captures ?? []).length === 1;
  const captureOf = ({ links }: PayPalRefund): string | undefined =>
    links
      ?.find(({ rel }) => rel === 'up')
      ?.href.split('/')
      .at(-1) ?? (isOnly ? capture : undefined);
  return refunds.some((refund) => captureOf(refund) === undefined)
    ? undefined
    : refunds.filter((refund) => captureOf(refund) === capture);
};

const isMade = ({ status }: PayPalRefund): boolean => status === 'COMPLETED' || status === 'PENDING';

const sumRefunds = ({ status, amount }: Payment, refunds: readonly PayPalRefund[]) => {
  const made = refunds.filter(isMade);
  const sum = made.reduce((total, refund) => total + refund.amount.minor, 0n);
  const [refundedAt] = made
    .flatMap(({ create_time: at }) => at ?? [])
    .toSorted()
    .reverse();
  return { refunded: status === 'REFUNDED' ? amount.minor : sum, ...(refundedAt !== undefined && { refundedAt }) };
};

const payPalCard = (order: Order | undefined) => {
  const card = order?.payment_source?.card;
  const bin = card?.bin_details?.bin ?? '';
  return {
    first6: /^\d{6}/.test(bin) ? bin.slice(0, 6) : '',
    last4: card?.last_digits.slice(-4) ?? '',
    ...brandNamed(card?.brand),
  };
};

/** A capture or an authorisation as a candidate; undefined if it failed. `order`: undefined if PayPal names none. */
export const payPalCandidateOf = (
  payment: Payment,
  order: Order | undefined,
  type: 'capture' | 'authorization',
): ChargeCandidate | undefined => {
  const { id, status, amount, create_time, invoice_id, network_transaction_reference: network } = payment;
  if (failedStatuses.includes(status)) return undefined;
  const refunds = order && payPalRefundsOf(id, order);
  const isCaptured = type === 'capture' && capturedStatuses.includes(status);
  const given = sumRefunds(payment, refunds ?? []);
  const arn = network?.acquirer_reference_number ?? '';
  return {
    reference: id,
    secondReference: invoice_id || payPalOrderId(payment),
    type,
    date: create_time,
    money: amount,
    ...payPalCard(order),
    authCode: null,
    arn: /^\d{23}$/.test(arn) ? arn : null,
    ...(network?.id && { networkReference: network.id }),
    captured: isCaptured ? amount.minor : 0n,
    ...given,
    isChargedBack: false,
    isSettled: isCaptured,
    isUnclear: isCaptured && (refunds === undefined || (status === 'PARTIALLY_REFUNDED' && given.refunded === 0n)),
    subscription: null,
    descriptor: (order && listUnits(order)[0]?.soft_descriptor) ?? '',
  };
};

export const resultOfPayPalRefund = ({ id, status }: PayPalRefund): ProcessorResult => {
  if (status === 'COMPLETED') return { outcome: 'OK', reference: id };
  if (status === 'PENDING') return { outcome: 'PEND', reference: id };
  return { outcome: 'EXC', code: 'refund_failed', reference: id, detail: `paypal ${status}` };
};

const Problem = v.object({ name: text, details: v.nullish(v.array(v.object({ issue: text })), []) });

/** The name of PayPal's error, which never repeats what was sent. */
export const readIssue = (body: unknown): string => {
  const problem = makeReader(Problem)(body);
  const issue = problem?.details?.[0]?.issue || problem?.name || '';
  return /^[A-Z_]{1,60}$/.test(issue) ? issue : '';
};

/** Refusals of a refund, which left nothing at PayPal. */
export const refusalOfPayPal = (status: number, body: unknown): ProcessorResult | undefined => {
  const issue = readIssue(body);
  if (status === 404) return refusedOutcome('not_found_at_processor', `paypal ${issue}`);
  if (status !== 400 && status !== 422) return undefined;
  const isAmount = /AMOUNT|FULLY_REFUNDED|DECIMAL/.test(issue);
  return refusedOutcome(isAmount ? 'amount_invalid' : 'refund_failed', `paypal ${issue}`);
};
