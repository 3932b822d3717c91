import { isOn } from '#accounts/merchants/settings/payment-settings.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { type Card, cardFingerprintsOf } from '#core/kernel/card/card.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { digestContent } from '#core/kernel/content-digest.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { formatAmount, type Money } from '#core/kernel/money/money.ts';
import type { KeyClaim } from '#core/platform/idempotency/idempotency-store.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { toBin } from '#payments/fraud/bins/bins.ts';
import { assess, fraudKeys, fraudWrites, maxAssessments, needReview } from '#payments/fraud/check/assess-store.ts';
import { type FraudSubject, toDevice } from '#payments/fraud/check/subject.ts';
import { remoteScorers } from '#payments/fraud/scorers/remote-scorers-client.ts';
import type { Order as KeptOrder } from '#payments/orders/order.ts';
import { orderMarkOf, unpaidOrderWrite } from '#payments/orders/payment-order-row.ts';
import type { PaymentRequest } from '#payments/payments/order/payment-request.ts';
import { hasProof, isAuthenticated } from '#payments/payments/three-ds.ts';
import type { Conversion } from '#payments/pricing/rates/conversion.ts';
import type { FirstPayment } from '#payments/processors/ports/processor.ts';
import type { RouteContext } from '#payments/processors/routing/routing.ts';
import { offeredRoutes, type Route, routesFor } from '#payments/processors/routing/routing.ts';
import { balanceKeys, type SeenFunds, sumAvailable } from '../ledger/ledger-funds-row.ts';
import { askRoutes } from '../settlement/ask-flow.ts';
import { usableProcessor } from '../settlement/processor-flow.ts';
import { findFirstPayment } from '../transaction/first-payment-store.ts';
import { refusedTransaction, type Transaction } from '../transaction/transaction.ts';
import { recordAnswer } from '../transaction/transaction-store.ts';
import { payerAuthenticationOf } from './payer-authentication.ts';
import { buildTransaction, orderToKeep, type PaymentContext, paymentRefusalOf } from './payment-context.ts';
import {
  readSurroundings,
  StaleAssessmentError,
  StaleStartError,
  type Surroundings,
  storeNewTransaction,
} from './start-store.ts';

/** A transaction as the caller sees it: the rcode is the one they verify it with. */
export type Started = { transaction: Transaction; rcode: string };

/** Returns the amount to charge in place of the requested one, and its conversion; see convertnpay. */
export type Convert = (money: Money, site: Site) => Promise<{ charged: Money; conversion: Conversion | null }>;

const keepCurrency: Convert = async (money) => ({ charged: money, conversion: null });

/**
 * Creates a parent transaction: reads, checks the caller, has fraud assessed, writes the operation before it is sent, asks the processor,
 * and writes the answer. If it is killed in between, settling finishes it (see settle-flow.ts). The same order (its `tid`, or its hash if
 * it has none) with the same content returns the existing transaction. `returnUrlOf`: the URL to which a payer returns. `claim`: the
 * idempotency key of the call. Throws hash_wrong, site_not_for_payments, tid_reused, tid_needed, request_invalid, rate_missing,
 * insufficient_funds, authentication_not_found, authentication_mismatch.
 */
export const startTransaction = async (
  request: PaymentRequest,
  returnUrlOf: (txid: number, ring: KeyRing) => string,
  { convert = keepCurrency, claim }: { convert?: Convert; claim?: KeyClaim | undefined } = {},
): Promise<Started> => {
  const ring = await keyRing('encryption');
  for (let assessments = 1; ; ) {
    const txid = newTimedId();
    const isLast = assessments > maxAssessments;
    try {
      return await tryStart({ txid, order: request, ring, returnUrl: returnUrlOf(txid, ring), convert, claim, isLast });
    } catch (error) {
      if (error instanceof StaleAssessmentError) assessments += 1;
      else if (!(error instanceof StaleStartError)) throw error;
    }
  }
};

/** `isLast`: others kept being counted by the fraud check, and it is not made once more. */
type Attempt = Pick<PaymentContext, 'txid' | 'order' | 'ring' | 'returnUrl'> & {
  convert: Convert;
  claim: KeyClaim | undefined;
  isLast: boolean;
};

const tryStart = async (attempt: Attempt): Promise<Started> => {
  const { txid, order, ring, claim } = attempt;
  const subject = fraudSubject(order, txid, ring);
  const around = await readSurroundings(order, subject ? fraudKeys(subject) : balanceKeys(order.sid), ring, claim);
  const { rcode, earlier } = around;
  if (earlier) return { transaction: earlier, rcode };
  const payment = await gatherContext(attempt, around, subject);
  const { assessment } = payment;
  const made = buildTransaction(payment);
  const refusal = paymentRefusalOf(payment);
  const funds = subject || refusal ? undefined : enough(around.rows, payment.charged);
  const bought = refusal ? undefined : orderToKeep(made, payment, around.shop);
  const begun = await storeNewTransaction(
    refusal ? refusedTransaction(made, refusal) : markOrder(made, bought),
    order,
    {
      ring,
      digest: digestContent(ring, order.content()),
      rcode,
      more: {
        ...(subject && assessment && fraudWrites(subject, assessment, around.rows)),
        unpaidOrder: bought && unpaidOrderWrite(bought),
      },
      funds,
      claim,
    },
  );
  if ('earlier' in begun) return { transaction: begun.earlier, rcode };
  if (refusal) return { transaction: begun.transaction, rcode };
  const { known, outcome } = await askRoutes(begun, payment);
  return { transaction: await recordAnswer(known, outcome, rcode), rcode };
};

/** Everything that is known of a payment before it is written: its card is read, its fraud assessed, its routes chosen. */
const gatherContext = async (
  { txid, order, ring, returnUrl, convert, isLast }: Attempt,
  around: Surroundings,
  subject: FraudSubject | undefined,
): Promise<PaymentContext> => {
  const { site } = around;
  checkShipped(order, site);
  const repeated = await findRepeatedCard(order, site, ring);
  const card = repeated?.card ?? cardToUse(order, site);
  const { charged, conversion } = await convert(order.money, site);
  const authentication = payerAuthenticationOf(order, around.proven, { mid: site.mid, card, ring, at: nowIso() });
  const threeDs = authentication.result;
  const told = subject && { ...subject, threeDsSource: threeDs?.source ?? ('none' as const) };
  const assessed = told && (await assess(told, around.rows, site, remoteScorers));
  const assessment = assessed && (isLast ? needReview(assessed) : assessed);
  const authenticate = assessment?.decision === '3DS' && !isAuthenticated(threeDs);
  // An authentication, complete or requested, means that the cardholder is present.
  const repeats = repeated !== undefined && !authenticate && !hasProof(threeDs);
  const fitting = findRoutes(around, charged, card);
  const routes = authenticate ? await thoseWithPages(fitting, { sid: site.sid, ring }) : fitting;
  const asked = { txid, order, ring, returnUrl };
  return {
    ...asked,
    site,
    card,
    storedCard: repeats ? repeated.first : storesCards(order, site) ? 'first' : null,
    charged,
    conversion,
    authentication,
    assessment,
    authenticate,
    routes,
    at: nowIso(),
    isFirst: !around.isFirstTold,
  };
};

/** A site that ships what it sells has to know where to. Throws request_invalid. */
const checkShipped = ({ action, shipping }: PaymentRequest, site: Site): void => {
  if (action === 'PAYOUT' || !isOn(site, 'shipping_n_tracking')) return;
  const { line1 = '', country = '' } = shipping ?? {};
  const missing = [...(line1 === '' ? ['shipping_address'] : []), ...(country === '' ? ['shipping_country'] : [])];
  if (missing.length === 0) return;
  const words = missing.map((name) => `${name}: is required, as the site ships what it sells (shipping_n_tracking)`);
  throw new Refusal('request_invalid', words.join('; '));
};

/** Checks whether the site may charge a payment's card again later, without the cardholder (`allow_rebilling`). */
const storesCards = ({ card, action }: PaymentRequest, site: Site): boolean =>
  card !== undefined && action !== 'PAYOUT' && isOn(site, 'allow_rebilling');

/**
 * Finds the card of a payment that is sent without a security code, and the payment that it repeats, if the card has paid at the site before and the
 * site charges cards again. Undefined for any other payment.
 */
const findRepeatedCard = async (
  request: PaymentRequest,
  site: Site,
  ring: KeyRing,
): Promise<{ card: Card; first: FirstPayment } | undefined> => {
  if (!request.card || !storesCards(request, site)) return undefined;
  const today = nowIso();
  if (!Array.isArray(request.card.read({ today, cvvIsOptional: false }))) return undefined;
  const card = request.card.read({ today, cvvIsOptional: true });
  if (Array.isArray(card)) return undefined;
  const tokens = card.reveal(({ number }) => cardFingerprintsOf(ring, number));
  const first = await findFirstPayment(site, tokens);
  return first && { card, first };
};

/** The transaction, knowing how to find its order. */
const markOrder = (transaction: Transaction, bought: KeptOrder | undefined): Transaction =>
  bought ? { ...transaction, order: orderMarkOf(bought) } : transaction;

/** A payout takes no more than there is; the funds as they were read are a condition of its beginning. */
const enough = (funds: SeenFunds, { minor, currency }: Money): SeenFunds => {
  const available = sumAvailable(funds, currency);
  if (minor <= available) return funds;
  const left = formatAmount({ minor: available > 0n ? available : 0n, currency });
  throw new Refusal('insufficient_funds', `amount: the site has ${left} ${currency} available`);
};

/**
 * Returns the order's facts for the fraud check; undefined for payouts, which charge no card. The card is read leniently here, as its
 * fingerprint decides what is read; its problems are reported once the caller is verified.
 */
const fraudSubject = (request: PaymentRequest, txid: number, ring: KeyRing): FraudSubject | undefined => {
  const { action, sid, money, payer, device, shipping } = request;
  if (action === 'PAYOUT') return undefined;
  const at = nowIso();
  const card = request.card?.read({ today: at, cvvIsOptional: true }) ?? [];
  const known = Array.isArray(card) ? undefined : card;
  return {
    kind: 'payment',
    sid,
    txid,
    money,
    card: known?.toKeptCard(ring) ?? null,
    bin: known?.reveal(({ number }) => toBin(number)) ?? null,
    earlierTokens: known?.reveal(({ number }) => cardFingerprintsOf(ring, number).slice(1)) ?? [],
    payer,
    shipping,
    device: toDevice(device),
    at,
  };
};

const cardToUse = ({ card, action }: PaymentRequest, site: Site): Card | null => {
  if (!card) {
    if (action === 'PAYOUT') return null;
    throw new Refusal('request_invalid', 'card_no: is required');
  }
  const isPayout = action === 'PAYOUT';
  const cvvIsOptional = isPayout || Number(site.payment?.['skip_ccv'] ?? 0) === 1;
  const read = card.read({ today: nowIso(), cvvIsOptional, expiryIsOptional: isPayout });
  if (Array.isArray(read)) throw new Refusal('request_invalid', read.join('; '));
  return read;
};

/** The site's routes that take it, in their order; several, so that one that is surely down can be passed over. */
const findRoutes = ({ processors }: Surroundings, { minor, currency }: Money, card: Card | null): Route[] =>
  routesFor(offeredRoutes(processors, optional('ALLOW_SANDBOX') === 'true'), {
    scheme: card?.scheme ?? null,
    currency,
    minor,
  });

/** The routes on which a payer can be asked to prove who they are. */
const thoseWithPages = async (routes: readonly Route[], context: RouteContext): Promise<Route[]> => {
  const processors = await Promise.all(routes.map((route) => usableProcessor(route, context)));
  return routes.filter((_, index) => processors[index]?.capabilities.redirect);
};
