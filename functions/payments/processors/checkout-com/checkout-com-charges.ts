import * as v from 'valibot';
import { brandNamed } from '#core/kernel/card/schemes.ts';
import { exponentOf, type Money } from '#core/kernel/money/money.ts';
import { fromProcessorAmount, type ProcessorCurrency, toProcessorAmount } from '../amounts.ts';
import { type ChargeCandidate, refusedOutcome } from '../ports/connected-processor.ts';
import { makeReader, SentTime } from '../ports/outside-data.ts';
import type { ProcessorResult } from '../ports/processor.ts';

/** Payments and their actions at Checkout.com: https://api-reference.checkout.com/#tag/Payments. Pure. */

/** https://www.checkout.com/docs/payments/accept-payments/format-the-amount-value.md: pesos of Chile have two decimals, which are zeros. */
const toCurrency = (code: string): ProcessorCurrency | undefined => {
  const exponent = exponentOf(code);
  if (exponent === undefined) return undefined;
  if (code === 'CLP') return { exponent: 2, step: 100 };
  return { exponent, step: exponent === 3 ? 10 : 1 };
};

/** An amount as Checkout.com counts it; undefined if it cannot. */
export const checkoutComAmountOf = (money: Money): number | undefined => {
  const currency = toCurrency(money.currency);
  return currency && toProcessorAmount(money, currency);
};

export const moneyOfCheckoutCom = (amount: number, currency: string): Money => ({
  minor: fromProcessorAmount(amount, currency, toCurrency(currency)),
  currency,
});

const text = v.nullish(v.string(), '');
const amount = v.pipe(v.number(), v.safeInteger());

const Payment = v.object({
  id: v.string(),
  requested_on: SentTime,
  amount,
  currency: v.pipe(
    v.string(),
    v.check((code) => exponentOf(code) !== undefined),
  ),
  status: v.string(),
  reference: text,
  scheme_id: text,
  source: v.nullish(v.object({ type: text, scheme: text, last4: text, bin: text })),
  balances: v.nullish(v.object({ total_captured: v.nullish(amount, 0), total_refunded: v.nullish(amount, 0) })),
  billing_descriptor: v.nullish(v.object({ name: text })),
});
type Payment = v.InferOutput<typeof Payment>;

/** `approved` is absent while an action is not decided. */
const Action = v.object({
  id: v.string(),
  type: v.string(),
  processed_on: SentTime,
  approved: v.nullish(v.boolean()),
  auth_code: text,
  reference: text,
  response_code: text,
  processing: v.nullish(v.object({ acquirer_reference_number: text })),
});
export type CheckoutComAction = v.InferOutput<typeof Action>;

export const readCheckoutComPayment = makeReader(Payment);
export const readCheckoutComActions = makeReader(v.array(Action));
const links = v.nullish(v.object({ next: v.nullish(v.object({})) }));
/** The payments that a search found, and whether there are more. */
export const readCheckoutComSearch = makeReader(
  v.object({
    data: v.array(v.object({ id: v.string() })),
    _links: links,
  }),
);

/** In a search, an action has a status instead of `approved`; one that cannot be read is left out. */
const ListedAction = v.object({ ...Action.entries, status: text });
const readListedAction = makeReader(ListedAction);
const decisions: Readonly<Record<string, boolean>> = { approved: true, declined: false };
const actionOfListed = (body: unknown): CheckoutComAction | [] => {
  const action = readListedAction(body);
  if (!action) return [];
  return { ...action, approved: action.approved ?? decisions[action.status?.toLowerCase() ?? ''] ?? null };
};

const readList = makeReader(v.object({ data: v.array(v.unknown()), _links: links }));
const readListedActions = makeReader(v.object({ actions: v.nullish(v.array(v.unknown()), []) }));

/**
 * The payments by card among those that a search found, the number found, and whether there are more. Searches find payouts too, which
 * have no source: https://github.com/checkout/checkout-sdk-node/blob/master/test/payments/searchPayment.js
 */
export const readCheckoutComList = (
  body: unknown,
): { charges: ChargeCandidate[]; count: number; hasMore: boolean } | undefined => {
  const list = readList(body);
  if (!list) return undefined;
  const charges = list.data.flatMap((item) => {
    const payment = readCheckoutComPayment(item);
    if (payment?.source?.type !== 'card') return [];
    const actions = (readListedActions(item)?.actions ?? []).flatMap(actionOfListed);
    return checkoutComCandidateOf(payment, actions) ?? [];
  });
  return { charges, count: list.data.length, hasMore: (list._links?.next ?? null) !== null };
};

const failedStatuses: readonly string[] = ['declined', 'canceled', 'cancelled', 'expired', 'pending', 'card verified'];

/** Searches write statuses in small letters. */
const plainState = ({ status }: Payment): string => status.toLowerCase().replaceAll('_', ' ');

const checkoutCard = ({ source }: Payment) => {
  const bin = source?.bin ?? '';
  return {
    first6: /^\d{6}/.test(bin) ? bin.slice(0, 6) : '',
    last4: source?.last4 ?? '',
    ...brandNamed(source?.scheme),
  };
};

const arnIn = ({ processing }: CheckoutComAction): string => {
  const arn = processing?.acquirer_reference_number ?? '';
  return /^\d{23}$/.test(arn) ? arn : '';
};
const authCodeIn = ({ auth_code: code }: CheckoutComAction): string => code ?? '';

/** The value that all captures and raised authorizations state; where they differ, none, as an alert may be about any of them. */
const onlyOne = (stated: readonly string[]): string | undefined => {
  const [one, ...more] = new Set(stated.filter(Boolean));
  return more.length === 0 ? one : undefined;
};

/** A payment as a candidate; undefined if no money was promised by it. For an alert, a void counts as taken and given back. */
export const checkoutComCandidateOf = (
  payment: Payment,
  actions: readonly CheckoutComAction[],
): ChargeCandidate | undefined => {
  const { id, requested_on: date, reference, currency, balances, scheme_id, billing_descriptor } = payment;
  const status = plainState(payment);
  if (failedStatuses.includes(status)) return undefined;
  const minorOf = (value: number): bigint => moneyOfCheckoutCom(value, currency).minor;
  const isVoided = status === 'voided';
  const whole = minorOf(payment.amount);
  const findApproved = (type: string) => actions.filter((one) => one.type === type && one.approved === true);
  const [refundedAt] = findApproved('Refund')
    .map(({ processed_on: at }) => at)
    .toSorted()
    .reverse();
  const [authorized, captures] = [findApproved('Authorization'), findApproved('Capture')];
  const captured = isVoided ? whole : minorOf(balances?.total_captured ?? 0);
  return {
    reference: id,
    secondReference: reference ?? '',
    type: 'payment',
    date,
    money: { minor: whole, currency },
    ...checkoutCard(payment),
    authCode: onlyOne(authorized.map(authCodeIn)) || onlyOne(captures.map(authCodeIn)) || null,
    arn: onlyOne(captures.map(arnIn)) || onlyOne(authorized.map(arnIn)) || null,
    ...(scheme_id && { networkReference: scheme_id }),
    captured,
    refunded: isVoided ? whole : minorOf(balances?.total_refunded ?? 0),
    ...(refundedAt !== undefined && { refundedAt }),
    isChargedBack: false,
    isSettled: captured > 0n,
    // A refund that is not decided may yet take from what is left.
    isUnclear: actions.some(({ type, approved: decided }) => type === 'Refund' && (decided ?? null) === null),
    subscription: null,
    descriptor: billing_descriptor?.name ?? '',
  };
};

export const resultOfCheckoutComRefund = ({ id, approved, response_code }: CheckoutComAction): ProcessorResult => {
  if ((approved ?? null) === null) return { outcome: 'PEND', reference: id };
  if (approved) return { outcome: 'OK', reference: id };
  const code = /^\d{5}$/.test(response_code ?? '') ? response_code : '';
  return { outcome: 'EXC', code: 'refund_failed', reference: id, detail: `checkout.com ${code}` };
};

const Refused = v.object({ error_type: text, error_codes: v.nullish(v.array(v.string()), []) });

/** Refusals of a refund, which left nothing at Checkout.com. A 403 without codes is about the key. */
export const refusalOfCheckoutCom = (status: number, body: unknown): ProcessorResult | undefined => {
  const code = makeReader(Refused)(body)?.error_codes?.[0] ?? '';
  const detail = `checkout.com ${/^\w{1,60}$/.test(code) ? code : status}`;
  if (status === 404) return refusedOutcome('not_found_at_processor', detail);
  if (status !== 400 && status !== 422 && !(status === 403 && code !== '')) return undefined;
  return refusedOutcome(/amount|balance/.test(code) ? 'amount_invalid' : 'refund_failed', detail);
};
