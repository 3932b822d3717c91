import type * as v from 'valibot';
import { schemeOf } from '#core/kernel/card/card.ts';
import { plainDigits } from '#core/kernel/card/card-numbers.ts';
import { contentWriter } from '#core/kernel/content-digest.ts';
import { type Money, parseAmount } from '#core/kernel/money/money.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { toBasket } from '#payments/payments/order/basket.ts';
import { maxMinor, readCart, sideBySideProblems } from '#payments/payments/order/cart.ts';
import { cardFieldsOf, type PaymentRequest } from '#payments/payments/order/payment-request.ts';
import { proofTimestampProblem, type SiteProof } from '#payments/payments/order/site-proof.ts';
import type { Payer, Shipping } from '#payments/payments/payer.ts';
import { stateProblems } from '#payments/payments/states.ts';
import { namedAuthentication, readMerchantResult } from '#payments/payments/three-ds.ts';
import type { ConvertNPayBody, PayoutBody, SingleTxBody } from '../schemas.ts';

/** The content of a call that creates a parent transaction, in one shape. */

type Call<S extends v.GenericSchema> = { sid: number; body: v.InferOutput<S>; proof: SiteProof; now: number };

const invalid = (problems: readonly string[]): Refusal => new Refusal('request_invalid', problems.join('; '));

/** `now`: milliseconds. Throws request_invalid for a cart, a state or a timestamp that is wrong. */
export const singleTxOrder = ({ sid, body, proof, now }: Call<typeof SingleTxBody>): PaymentRequest => ({
  ...chargeOrder('singletx', { sid, body, proof, now }),
  descriptor: body.dynamic_descriptor ?? null,
  ...readProof(body),
  device: body.device_info ?? null,
});

/**
 * An authentication made here is read by its number, and no other field of the object is trusted. A merchant's own is passed on completely or
 * refused: see docs/decisions/0197. Throws request_invalid.
 */
const readProof = ({ threeDSecure, card_no = '' }: v.InferOutput<typeof SingleTxBody>) => {
  const named = namedAuthentication(threeDSecure ?? null);
  if (named === null) {
    throw invalid(['threeDSecure: authentication_id must be the number that create3ds answered']);
  }
  if (named !== undefined) return { authenticationId: named, threeDs: null };
  const threeDs = threeDSecure ? readMerchantResult(threeDSecure, schemeOf(cardDigits(card_no))) : null;
  if (Array.isArray(threeDs)) throw invalid(threeDs);
  return { authenticationId: null, threeDs };
};

/** The same for convertnpay, which takes no descriptor, 3DS result or device. */
export const convertNPayOrder = (call: Call<typeof ConvertNPayBody>): PaymentRequest =>
  chargeOrder('convertnpay', call);

const chargeOrder = (operation: string, call: Call<typeof ConvertNPayBody>): PaymentRequest => {
  const { body } = call;
  const { currency, tx_action, item_quantity, item_amount_unit, amount_shipping, amount_tax, amount_coupon } = body;
  const cart = readCart(
    {
      quantities: item_quantity,
      unitAmounts: item_amount_unit,
      shipping: amount_shipping,
      tax: amount_tax,
      coupon: amount_coupon,
    },
    currency,
  );
  const problems = [...(Array.isArray(cart) ? cart : []), ...sideBySideProblems(body), ...commonProblems(call)];
  if (Array.isArray(cart) || problems.length > 0) throw invalid(problems);
  return {
    ...commonOrder(operation, call),
    action: tx_action,
    money: { minor: cart.total, currency },
    shipping: readShipping(body),
    basket: toBasket(body, cart),
  };
};

/** Throws request_invalid for an amount, a state or a timestamp that is wrong. */
export const payoutOrder = (call: Call<typeof PayoutBody>): PaymentRequest => {
  const money = payoutMoney(call.body);
  const problems = [...(typeof money === 'string' ? [`amount: ${money}`] : []), ...commonProblems(call)];
  if (typeof money === 'string' || problems.length > 0) throw invalid(problems);
  return { ...commonOrder('payout', call), action: 'PAYOUT', money, shipping: null, basket: null };
};

/** Returns the amount of a payout, or the reason why it is impossible. */
const payoutMoney = ({ amount, currency }: v.InferOutput<typeof PayoutBody>): Money | string => {
  const money = parseAmount(amount, currency);
  if (typeof money === 'string') return money;
  if (money.minor === 0n) return 'must be above 0';
  // Results have amounts as JSON numbers, and carts have the same limit.
  return money.minor > maxMinor ? 'comes to more than 15 digits' : money;
};

type CommonBody = v.InferOutput<typeof PayoutBody> | v.InferOutput<typeof ConvertNPayBody>;
type CommonCall = { sid: number; body: CommonBody; proof: SiteProof; now: number };

const commonProblems = ({ body, proof, now }: CommonCall): string[] => {
  const problem = proofTimestampProblem(proof, body.timestamp, now);
  return [...(problem ? [`timestamp: ${problem}`] : []), ...stateProblems(body), ...ownCardProblems(body)];
};

/** Texts that hold the card of the call, though its number begins like the time of an order. */
const ownCardProblems = ({ card_no = '', ...texts }: CommonBody): string[] => {
  const number = cardDigits(card_no);
  if (number.length < 12) return [];
  return Object.entries(texts).flatMap(([name, value]) => {
    const held = [value].flat().some((one) => typeof one === 'string' && cardDigits(one).includes(number));
    return held ? [`${name}: must not hold a card number`] : [];
  });
};
const cardDigits = (text: string): string => plainDigits(text).replace(/\D/g, '');

const commonOrder = (operation: string, { sid, body, proof }: CommonCall) => {
  const { timestamp = '', tid = null, reference = null, ref1 = null, ref2 = null, ref3 = null, ref4 = null } = body;
  return {
    sid,
    proof,
    timestamp,
    tid,
    reference,
    refs: [ref1, ref2, ref3, ref4] as const,
    descriptor: null,
    card: cardFieldsOf(body),
    payer: sentPayer(body),
    device: null,
    authenticationId: null,
    threeDs: null,
    postbackUrl: body.postback_url,
    returnUrl: ('return_url' in body && body.return_url) || null,
    content: contentWriter(operation, body),
  };
};

const sentPayer = (body: CommonBody): Payer => {
  const { firstname = null, lastname = null, email, phone = null } = body;
  const { address = '', suburb_city: city = '', state = '', country = '', postcode = '' } = body;
  const isKnown = [address, city, state, country, postcode].some((part) => part !== '');
  return {
    firstName: firstname,
    lastName: lastname,
    email,
    phone,
    // Calls come from the merchant's server; the payer's own address is in device_info.
    ip: null,
    address: isKnown ? { line1: address, city, state, country, postcode } : null,
  };
};

const readShipping = (body: v.InferOutput<typeof ConvertNPayBody>): Shipping | null => {
  const { shipping_address: line1 = '', shipping_suburb_city: city = '', shipping_state: state = '' } = body;
  const { shipping_country: country = '', shipping_postcode: postcode = '' } = body;
  const isKnown = [line1, city, state, country, postcode].some((part) => part !== '');
  return isKnown ? { line1, city, state, country, postcode } : null;
};
