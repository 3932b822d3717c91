import type Stripe from 'stripe';
import { hasProof } from '#payments/payments/three-ds.ts';
import { cleanPhone, cleanPostcode, plainEmail } from '../payer-forms.ts';
import { isRepeat, type PayCommand, type ProcessorResult } from '../ports/processor.ts';
import { codeOfPaymentError } from './stripe-codes.ts';

/** The meaning of Stripe's objects for an operation, and the requests to Stripe. Pure: the package is imported only for its types. */

const chargedCardOf = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
  charge && typeof charge === 'object' ? charge.payment_method_details?.card : undefined;

const okOutcome = (intent: Stripe.PaymentIntent): ProcessorResult => {
  const { authorization_code: authCode, network_transaction_id: networkReference } = chargedCardOf(intent) ?? {};
  return {
    outcome: 'OK',
    reference: intent.id,
    ...(authCode && { authCode }),
    ...(networkReference && { networkReference }),
  };
};

/** A payment, by the state its PaymentIntent is in: https://docs.stripe.com/payments/paymentintents/lifecycle */
export const stripePaymentResult = (intent: Stripe.PaymentIntent): ProcessorResult => {
  const { id: reference, status } = intent;
  const failed = intent.last_payment_error;
  const detail = `stripe ${status}`;
  switch (status) {
    case 'succeeded':
    case 'requires_capture':
      return okOutcome(intent);
    case 'requires_payment_method':
      return { outcome: 'EXC', code: codeOfPaymentError(failed?.code, failed?.decline_code), reference, detail };
    case 'canceled': {
      // Stripe itself releases an authorisation that was not captured in time.
      const code = intent.cancellation_reason === 'automatic' ? 'authorization_expired' : 'authentication_abandoned';
      return { outcome: 'EXC', code, reference, detail };
    }
    case 'requires_action': {
      const url = intent.next_action?.redirect_to_url?.url;
      return { outcome: 'PEND', reference, nextAction: url ? { type: 'redirect', url } : null };
    }
    default:
      return { outcome: 'PEND', reference, nextAction: null };
  }
};

/** Returns the result of a capture or void, by the state of the payment; undefined if there was none yet. */
export const outcomeOfFollowUp = (
  intent: Stripe.PaymentIntent,
  kind: 'capture' | 'void',
): ProcessorResult | undefined => {
  const { id: reference, status } = intent;
  const wanted = kind === 'capture' ? 'succeeded' : 'canceled';
  if (status === wanted) return okOutcome(intent);
  const other = kind === 'capture' ? 'canceled' : 'succeeded';
  if (status !== other) return undefined;
  const code = kind === 'capture' ? 'capture_failed' : 'void_failed';
  return { outcome: 'EXC', code, reference, detail: `stripe ${status}` };
};

export const outcomeOfRefund = (refund: Stripe.Refund): ProcessorResult => {
  const { id: reference, status } = refund;
  const arn = refund.destination_details?.card?.reference;
  if (status === 'succeeded') return { outcome: 'OK', reference, ...(arn && { arn }) };
  if (status === 'failed' || status === 'canceled') {
    return { outcome: 'EXC', code: 'refund_failed', reference, detail: `stripe ${refund.failure_reason ?? status}` };
  }
  return { outcome: 'PEND', reference, nextAction: null };
};

/** The tags by which an operation is found again. The key is included, as stages that share an account may use the same txid. */
export const makeTags = ({ txid, idempotencyKey }: { txid: number; idempotencyKey: string }) => ({
  txid: String(txid),
  key: idempotencyKey,
});

export const hasTags = (
  tagged: { metadata: Stripe.Metadata | null },
  operation: { txid: number; idempotencyKey: string },
): boolean => {
  const { txid, key } = makeTags(operation);
  return tagged.metadata?.['txid'] === txid && tagged.metadata['key'] === key;
};

/** "must be at most 20 characters": a longer one goes without its extension and punctuation. */
const shortPhone = (phone: string | null): string | undefined =>
  phone !== null && phone.length <= 20 ? phone : cleanPhone(phone);

export const paymentMethodOf = ({ card, payer }: PayCommand): Stripe.PaymentMethodCreateParams => {
  const name = [payer.firstName, payer.lastName].filter(Boolean).join(' ');
  const { line1, city, state, country } = payer.address ?? {};
  const address = { line1, city, state, country, postal_code: payer.address && cleanPostcode(payer.address, 12) };
  const [email, phone] = [plainEmail(payer.email), shortPhone(payer.phone)];
  return {
    type: 'card',
    card: card.reveal(({ number, cvv, expMonth, expYear }) => ({
      number,
      exp_month: Number(expMonth),
      exp_year: Number(expYear),
      ...(cvv !== null && { cvc: cvv }),
    })),
    billing_details: {
      name: card.reveal(({ holder }) => holder) || name,
      ...(email && { email }),
      ...(phone && { phone }),
      address: Object.fromEntries(Object.entries(address).filter(([, value]) => value)),
    },
  };
};

/** For cards Stripe takes a suffix only, of at most 22 characters, one of them a letter, and none of `<>\'"*`. */
const toSuffix = (descriptor: string | null): string | undefined => {
  const suffix = (descriptor ?? '')
    .replace(/[^\x20-\x7e]|[<>\\'"*]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 22);
  return /[a-z]/i.test(suffix) ? suffix : undefined;
};

const versions: Readonly<
  Record<string, Stripe.PaymentIntentCreateParams.PaymentMethodOptions.Card.ThreeDSecure.Version>
> = { '1.0.2': '1.0.2', '2.1.0': '2.1.0', '2.2.0': '2.2.0', '2.3.0': '2.3.0', '2.3.1': '2.3.1' };
const indicators = ['01', '02', '05', '06', '07'] as const;
const statuses = ['A', 'C', 'I', 'N', 'R', 'U', 'Y'] as const;

/** An earlier 3DS result, if it has everything that Stripe requires. https://docs.stripe.com/payments/payment-intents/three-d-secure-import */
const stripeProof = ({ threeDs }: PayCommand) => {
  const version = versions[threeDs?.version ?? ''];
  if (!hasProof(threeDs) || !version) return undefined;
  const electronic_commerce_indicator = indicators.find((known) => known === threeDs.eci);
  const ares_trans_status = statuses.find((known) => known === threeDs.aresTransStatus);
  return {
    version,
    cryptogram: threeDs.cavv,
    transaction_id: threeDs.dsTransId,
    ...(electronic_commerce_indicator && { electronic_commerce_indicator }),
    ...(ares_trans_status && { ares_trans_status }),
    ...(threeDs.exemption === 'tra' && { exemption_indicator: 'low_risk' as const }),
    ...(threeDs.challengeInd && { requestor_challenge_indicator: threeDs.challengeInd }),
  };
};

/** The package's types lack this parameter, which Stripe enables per account: see `pay` in stripe-client.ts. */
type CardOptions = Stripe.PaymentIntentCreateParams.PaymentMethodOptions.Card & {
  mit_exemption?: { network_transaction_id: string };
};

const cardOptionsOf = (command: PayCommand): CardOptions | undefined => {
  if (isRepeat(command)) {
    const { networkReference } = command.storedCard;
    return networkReference === null ? undefined : { mit_exemption: { network_transaction_id: networkReference } };
  }
  if (command.authenticate) return { request_three_d_secure: 'challenge' };
  const three_d_secure = stripeProof(command);
  return three_d_secure && { three_d_secure };
};

/** A payment that is confirmed as it is made. No card data: that is in the payment method. */
export const toIntent = (
  command: PayCommand,
  { amount, paymentMethod }: { amount: number; paymentMethod: string },
): Stripe.PaymentIntentCreateParams => {
  const suffix = toSuffix(command.descriptor);
  const options = cardOptionsOf(command);
  return {
    amount,
    currency: command.money.currency.toLowerCase(),
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card'],
    confirm: true,
    capture_method: command.capture ? 'automatic' : 'manual',
    return_url: command.returnUrl,
    metadata: makeTags(command),
    expand: ['latest_charge'],
    ...(suffix && { statement_descriptor_suffix: suffix }),
    // Stripe authenticates more often when a card is set up for later charges, and that would fail a payment with its own proof.
    ...(command.storedCard === 'first' && !options?.three_d_secure && { setup_future_usage: 'off_session' as const }),
    ...(isRepeat(command) && { off_session: true }),
    ...(options && { payment_method_options: { card: options } }),
    // A payer who was authenticated before is not asked again: if the issuer still wants that, the payment fails.
    ...(options?.three_d_secure && { error_on_requires_action: true }),
  };
};
