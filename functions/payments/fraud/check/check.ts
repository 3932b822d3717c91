import type { InferOutput } from 'valibot';
import { type Card, maskKept } from '#core/kernel/card/card.ts';
import type { Money } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { cartTotal, sideBySideProblems } from '#payments/payments/order/cart.ts';
import { cardFieldsOf } from '#payments/payments/order/payment-request.ts';
import type { Payer, Shipping } from '#payments/payments/payer.ts';
import { stateProblems } from '#payments/payments/states.ts';
import type { CheckBody } from '../schemas.ts';
import type { Assessment } from './assessment.ts';
import type { FraudCheck } from './check-row.ts';
import { type FraudSubject, toDevice } from './subject.ts';

type Sent = InferOutput<typeof CheckBody>;

/** The order's total and its card, if one was sent. Throws request_invalid, naming everything that is wrong. */
export const fraudOrderOf = (sent: Sent, today: string): { money: Money; card: Card | null } => {
  const total = cartTotal(
    {
      unitAmounts: sent.item_amount_unit,
      quantities: sent.item_quantity,
      shipping: sent.amount_shipping,
      tax: sent.amount_tax,
      coupon: sent.amount_coupon,
    },
    sent.currency,
  );
  const card = cardFieldsOf(sent)?.read({ today, cvvIsOptional: true, expiryIsOptional: true }) ?? null;
  const others = [...sideBySideProblems(sent), ...stateProblems(sent)];
  if (Array.isArray(total) || Array.isArray(card) || others.length > 0) {
    const problems = [total, card].flatMap((read) => (Array.isArray(read) ? read : []));
    throw new Refusal('request_invalid', [...problems, ...others].join('; '));
  }
  return { money: total, card };
};

const toShipping = (...parts: (string | undefined)[]): Shipping | null => {
  const [line1 = '', city = '', state = '', country = '', postcode = ''] = parts;
  return parts.some((part) => part !== undefined) ? { line1, city, state, country, postcode } : null;
};

const checkPayer = (sent: Sent): Payer => ({
  firstName: sent.firstname,
  lastName: sent.lastname,
  email: sent.email,
  phone: sent.phone ?? null,
  ip: null,
  address: toShipping(sent.address, sent.suburb_city, sent.state, sent.country, sent.postcode),
});

/** The subject to assess; `known`: what is kept of the card, and whatever else the body does not contain. */
export const fraudSubjectOf = (
  sent: Sent,
  known: Pick<FraudSubject, 'sid' | 'money' | 'card' | 'bin' | 'at'> & { earlierTokens: readonly string[] },
): FraudSubject => ({
  ...known,
  kind: 'check',
  txid: null,
  payer: checkPayer(sent),
  shipping: toShipping(
    sent.shipping_address,
    sent.shipping_suburb_city,
    sent.shipping_state,
    sent.shipping_country,
    sent.shipping_postcode,
  ),
  device: toDevice(sent.device_info ?? null),
});

type AssessmentSummary = Pick<Assessment, 'fraudId' | 'score' | 'decision' | 'reasons' | 'template' | 'version'>;

/** An assessment on the wire. */
export const toAssessmentDto = ({ fraudId, score, decision, reasons, template, version }: AssessmentSummary) => ({
  fraud_id: fraudId,
  score,
  decision,
  reasons: [...reasons],
  template,
  version,
});

/** A kept check on the wire. */
export const toFraudCheckDto = (check: FraudCheck) => ({
  ...toAssessmentDto(check),
  sid: check.sid,
  kind: check.kind,
  txid: check.txid,
  amount: check.amount,
  currency: check.currency,
  card: check.card && maskKept(check.card),
  failed: check.failed,
  facts: { ...check.facts },
  created_at: check.at,
});
