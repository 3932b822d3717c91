import * as v from 'valibot';
import type { Scheme } from '#core/kernel/card/schemes.ts';
import { schemes } from '#core/kernel/card/schemes.ts';
import { formatAmount, parseAmount } from '#core/kernel/money/money.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import {
  type ChargeCandidate,
  type ChargeRefundRequest,
  chargeSearchSpan,
  type DisputedCharge,
  refusedOutcome,
} from '../ports/gateway.ts';
import type { ProcessorResult } from '../ports/processor.ts';

/** The messages between Forewarn and a merchant's own service. docs/guides/connect-your-service.md describes them. Pure. */

const text = (maxLength: number) => v.pipe(v.string(), v.maxLength(maxLength));
const optionalText = (maxLength: number) => v.optional(v.nullable(text(maxLength)), null);
const Flag = v.optional(v.boolean(), false);
const Time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check((value) => !Number.isNaN(Date.parse(value))),
  v.transform((value) => new Date(value).toISOString()),
);
const digits = (count: number) => v.pipe(v.string(), v.regex(new RegExp(`^(?:\\d{${count}})?$`)));

const Charge = v.looseObject({
  reference: v.pipe(text(200), v.minLength(1)),
  order_reference: optionalText(200),
  type: v.optional(v.pipe(text(40), v.regex(/^\w+$/)), 'charge'),
  date: Time,
  amount: text(40),
  currency: text(3),
  card: v.optional(
    v.looseObject({
      first6: v.optional(digits(6), ''),
      last4: v.optional(digits(4), ''),
      brand: optionalText(40),
    }),
    {},
  ),
  auth_code: optionalText(12),
  arn: optionalText(23),
  captured: v.optional(text(40)),
  refunded: v.optional(text(40), '0'),
  refunded_at: v.optional(v.nullable(Time), null),
  charged_back: Flag,
  charged_back_at: v.optional(v.nullable(Time), null),
  settled: v.optional(v.boolean(), true),
  subscription: optionalText(200),
  descriptor: optionalText(60),
  caid: optionalText(15),
});
type Charge = v.InferOutput<typeof Charge>;

/** The largest number of charges on a page of a list. */
export const maxListedCharges = 500;

export const SearchAnswer = v.looseObject({
  charges: v.pipe(v.array(Charge), v.maxLength(100)),
  more: v.optional(v.boolean(), false),
});

/** A page of a list of charges. */
export const ListAnswer = v.looseObject({
  charges: v.pipe(v.array(Charge), v.maxLength(maxListedCharges)),
  next_cursor: v.optional(v.nullable(v.pipe(text(500), v.minLength(1))), null),
});

/** Other words of services for the three states, in any case. */
const refundWords: Readonly<Record<string, string>> = {
  ...{ success: 'succeeded', successful: 'succeeded', completed: 'succeeded' },
  ...{ processing: 'pending', failure: 'failed' },
};

const RefundAnswer = v.looseObject({
  status: v.pipe(
    v.string(),
    v.transform((status) => status.trim().toLowerCase()),
    v.transform((status) => (Object.hasOwn(refundWords, status) ? refundWords[status] : status)),
    v.picklist(['succeeded', 'pending', 'failed']),
  ),
  // A longer number has lost digits, and is no reference any more.
  refund_reference: v.optional(
    v.nullable(v.union([text(200), v.pipe(v.number(), v.safeInteger(), v.transform(String))])),
    null,
  ),
  failure: optionalText(500),
});

/** The body of a search for an alert's charge. Empty texts and a null amount mean that the alert does not state them. */
export const searchBody = (disputed: DisputedCharge): object => {
  const { from, to } = chargeSearchSpan(disputed);
  const { alertId = null, arn, authCode, first6, last4, brand = null, money, day, descriptor } = disputed;
  return {
    alert_id: alertId,
    arn,
    auth_code: authCode,
    card: { first6, last4, brand },
    amount: money && formatAmount(money),
    currency: money?.currency ?? null,
    transaction_date: day,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    descriptor,
  };
};

export const refundBody = ({ reference, money, reason, alertId, key }: ChargeRefundRequest): object => ({
  reference,
  amount: formatAmount(money),
  currency: money.currency,
  reason,
  alert_id: alertId,
  idempotency_key: key,
});

const isScheme = (brand: string): brand is Scheme => schemes.some((one) => one === brand);

/** A charge of an answer; undefined if its amounts cannot be read. */
export const toChargeCandidate = (charge: Charge): ChargeCandidate | undefined => {
  const money = parseAmount(charge.amount, charge.currency);
  const captured = parseAmount(charge.captured ?? charge.amount, charge.currency);
  const refunded = parseAmount(charge.refunded, charge.currency);
  if (typeof money === 'string' || typeof captured === 'string' || typeof refunded === 'string') return undefined;
  const brand = charge.card.brand?.toUpperCase() ?? '';
  return {
    reference: charge.reference,
    secondReference: charge.order_reference ?? '',
    type: charge.type,
    date: charge.date,
    money,
    first6: charge.card.first6 ?? '',
    last4: charge.card.last4 ?? '',
    ...(isScheme(brand) && { brand }),
    authCode: charge.auth_code,
    arn: charge.arn,
    captured: captured.minor,
    refunded: refunded.minor,
    ...(charge.refunded_at !== null && { refundedAt: charge.refunded_at }),
    isChargedBack: charge.charged_back,
    ...(charge.charged_back && charge.charged_back_at !== null && { chargedBackAt: charge.charged_back_at }),
    isSettled: charge.settled,
    isUnclear: false,
    subscription: charge.subscription,
    descriptor: charge.descriptor ?? '',
    ...(charge.caid && { caid: charge.caid }),
  };
};

/** The result of a refund by an answer; undefined if the answer cannot be read, so that the result is unknown. */
export const refundResultOf = (body: unknown): ProcessorResult | undefined => {
  const { success, output } = v.safeParse(RefundAnswer, body);
  if (!success) return undefined;
  const { status, refund_reference: reference, failure } = output;
  if (status === 'failed')
    return refusedOutcome('refund_failed', redactText(failure ?? 'the service refused the refund'));
  if (reference === null) return undefined;
  return status === 'succeeded' ? { outcome: 'OK', reference } : { outcome: 'PEND', reference };
};
