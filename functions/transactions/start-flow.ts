import { type Card, fingerprintsOf } from '../core/card.ts';
import { nowIso } from '../core/clock.ts';
import type { KeyRing } from '../core/crypto.ts';
import { optional } from '../core/environment.ts';
import { Refusal } from '../core/errors.ts';
import { newTimedId } from '../core/ids.ts';
import { formatAmount, type Money } from '../core/money.ts';
import { keyRing } from '../core/secrets.ts';
import { checkWebhookUrl } from '../core/webhook-url.ts';
import {
  type Assessment,
  assess,
  fraudKeys,
  fraudWrites,
  isAssessed,
  mostAssessments,
  overtaken,
} from '../fraud/assess-store.ts';
import { binOf } from '../fraud/bins.ts';
import { remoteScorers } from '../fraud/minfraud-client.ts';
import { deviceOf, type FraudSubject } from '../fraud/subject.ts';
import type { OrderProfile } from '../merchants/order-profile.ts';
import type { Site } from '../merchants/site.ts';
import { webhookUrlRules } from '../merchants/url-rules.ts';
import type { Order as KeptOrder } from '../orders/order.ts';
import { orderOfPayment } from '../orders/payment-order.ts';
import { orderMarkOf, unpaidOrderWrite } from '../orders/payment-order-row.ts';
import { digestOf } from '../payments/content-digest.ts';
import { keptMoney } from '../payments/kept-money.ts';
import type { Order } from '../payments/order.ts';
import { isAuthenticated, type ThreeDsResult } from '../payments/three-ds.ts';
import type { Conversion } from '../pricing/conversion.ts';
import type { DeclineCode } from '../processors/decline-codes.ts';
import type { Outcome, Processor } from '../processors/processor.ts';
import { mayMoveOn, offeredRoutes, type Route, routesFor } from '../processors/routing.ts';
import type { RouteContext } from '../processors/sealed-credentials.ts';
import { availableOf, balanceKeys, type SeenFunds } from './funds-row.ts';
import { type PayerAuthentication, payerAuthenticationOf } from './payer-authentication.ts';
import { answerOf, usableProcessor } from './processor-flow.ts';
import {
  BeginAnew,
  beginTransaction,
  moveToRoute,
  Overtaken,
  readSurroundings,
  type Surroundings,
} from './start-store.ts';
import { firstCheck, newIdempotencyKey, refusedTransaction, type Transaction } from './transaction.ts';
import { type Known, recordAnswer } from './transaction-store.ts';

/** A transaction as the caller is told of it: the rcode is the one they verify it with. */
export type Started = { transaction: Transaction; rcode: string };

/** What is charged in place of what was asked for, and how it was converted; see convertnpay. */
export type Convert = (money: Money, site: Site) => Promise<{ charged: Money; conversion: Conversion | null }>;

const unconverted: Convert = async (money) => ({ charged: money, conversion: null });

/**
 * Makes a new parent transaction: reads, checks the caller, has fraud assessed, writes what is going to be asked, asks the
 * processor, and writes what it answered. Killed anywhere in between, settling finishes it (see settle-flow.ts). The same
 * `tid` with the same content is answered from what it made before. `returnUrlOf`: where a payer comes back to.
 * Throws hash_wrong, site_not_for_payments, tid_reused, request_invalid, rate_missing, insufficient_funds,
 * authentication_not_found, authentication_mismatch.
 */
export const startTransaction = async (
  order: Order,
  returnUrlOf: (txid: number, ring: KeyRing) => string,
  convert: Convert = unconverted,
): Promise<Started> => {
  checkUrl('postback_url', order.postbackUrl);
  if (order.returnUrl !== null) checkUrl('return_url', order.returnUrl);
  const ring = await keyRing('encryption');
  for (let assessments = 1; ; ) {
    const txid = newTimedId();
    const isLast = assessments > mostAssessments;
    try {
      return await startAs(txid, order, { ring, returnUrl: returnUrlOf(txid, ring), convert, isLast });
    } catch (error) {
      if (error instanceof Overtaken) assessments += 1;
      else if (!(error instanceof BeginAnew)) throw error;
    }
  }
};

/** `isLast`: others kept being counted by the fraud check, and it is not made once more. */
type Means = { ring: KeyRing; returnUrl: string; convert: Convert; isLast: boolean };

const startAs = async (txid: number, order: Order, { ring, returnUrl, convert, isLast }: Means): Promise<Started> => {
  const subject = subjectOf(order, txid, ring);
  const around = await readSurroundings(order, subject ? fraudKeys(subject) : balanceKeys(order.sid), ring);
  const { site, rcode, earlier } = around;
  if (earlier) return { transaction: earlier, rcode };
  const card = cardOf(order, site);
  const { charged, conversion } = await convert(order.money, site);
  const authentication = payerAuthenticationOf(order, around.proven, { mid: site.mid, card, ring, at: nowIso() });
  const threeDs = authentication.result;
  const told = subject && { ...subject, threeDsSource: threeDs?.source ?? ('none' as const) };
  const assessed = told && (await assess(told, around.rows, site, remoteScorers));
  const assessment = assessed && (isLast ? overtaken(assessed) : assessed);
  const authenticate = assessment?.decision === '3DS' && !isAuthenticated(threeDs);
  const fitting = routesOf(around, charged, card);
  const routes = authenticate ? await thoseWithPages(fitting, { sid: site.sid, ring }) : fitting;
  const ingredients = { charged, conversion, card, ring, assessment, authentication, route: routes[0] };
  const made = newTransaction(txid, order, site, ingredients);
  const refusal = authentication.isFailed ? 'authentication_failed' : refusalOf(assessment, routes, authenticate);
  const funds = subject || refusal ? undefined : enough(around.rows, charged);
  const bought = refusal ? undefined : boughtBy(made, order, { shop: around.shop, charged });
  const begun = await beginTransaction(refusal ? refusedTransaction(made, refusal) : marked(made, bought), order, {
    ring,
    digest: digestOf(ring, order.content()),
    rcode,
    more: [
      ...(subject && assessment ? fraudWrites(subject, assessment, around.rows) : []),
      ...(bought ? [unpaidOrderWrite(bought)] : []),
    ],
    funds,
  });
  if ('earlier' in begun) return { transaction: begun.earlier, rcode };
  if (refusal) return { transaction: begun.transaction, rcode };
  const { known, outcome } = await askRoutes(begun, routes, {
    ...{ order, card, threeDs, authenticate, ring, returnUrl },
    money: charged,
  });
  return { transaction: await recordAnswer(known, outcome, rcode), rcode };
};

/** A payout takes no more than there is; the funds as they were read are a condition of its beginning. */
const enough = (funds: SeenFunds, { minor, currency }: Money): SeenFunds => {
  const available = availableOf(funds, currency);
  if (minor <= available) return funds;
  const left = formatAmount({ minor: available > 0n ? available : 0n, currency });
  throw new Refusal('insufficient_funds', `amount: the site has ${left} ${currency} available`);
};

const checkUrl = (field: string, url: string): void => {
  const checked = checkWebhookUrl(url, webhookUrlRules());
  if (!checked.ok) throw new Refusal('request_invalid', `${field}: ${checked.message}`);
};

/**
 * What an order tells the fraud check; undefined for payouts, which charge nobody. The card is read leniently here, as its
 * fingerprint names what is to be read; what is wrong with it is said once it is known who calls.
 */
const subjectOf = (order: Order, txid: number, ring: KeyRing): FraudSubject | undefined => {
  const { action, sid, money, payer, device, shipping } = order;
  if (action === 'PAYOUT') return undefined;
  const at = nowIso();
  const card = order.card?.read({ today: at, cvvIsOptional: true }) ?? [];
  const known = Array.isArray(card) ? undefined : card;
  return {
    kind: 'payment',
    sid,
    txid,
    money,
    card: known?.kept(ring) ?? null,
    bin: known?.reveal(({ number }) => binOf(number)) ?? null,
    earlierTokens: known?.reveal(({ number }) => fingerprintsOf(ring, number).slice(1)) ?? [],
    payer,
    shipping,
    device: deviceOf(device),
    at,
  };
};

const cardOf = ({ card, action }: Order, site: Site): Card | null => {
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
const routesOf = ({ processors }: Surroundings, { minor, currency }: Money, card: Card | null): Route[] =>
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

const refusalOf = (
  assessment: Assessment | undefined,
  routes: readonly Route[],
  authenticate: boolean,
): DeclineCode | undefined => {
  if (assessment?.decision === 'REJECT') return assessment.failed ? 'fraud_check_failed' : 'fraud_rejected';
  if (routes.length > 0) return undefined;
  return authenticate ? 'three_ds_required' : 'no_processor';
};

type Ingredients = {
  charged: Money;
  conversion: Conversion | null;
  card: Card | null;
  ring: KeyRing;
  assessment: Assessment | undefined;
  authentication: PayerAuthentication;
  route: Route | undefined;
};

const newTransaction = (
  txid: number,
  order: Order,
  site: Site,
  { charged, conversion, card, ring, assessment, authentication, route }: Ingredients,
): Transaction => {
  const at = nowIso();
  const { tid, reference, refs, descriptor, action, postbackUrl, returnUrl, payer } = order;
  return {
    txid,
    parentTxid: txid,
    sid: site.sid,
    mid: site.mid,
    rid: site.rid,
    action,
    status: 'PEND',
    money: keptMoney(charged),
    tid,
    reference,
    refs,
    descriptor,
    processor: route?.processor ?? null,
    routeId: route?.id ?? null,
    processorReference: null,
    idempotencyKey: newIdempotencyKey(txid),
    arn: null,
    authCode: null,
    error: null,
    nextAction: null,
    card: card?.kept(ring) ?? null,
    email: payer.email,
    postbackUrl,
    ...(returnUrl !== null && { returnUrl }),
    conversion,
    fraud:
      assessment && isAssessed(assessment)
        ? { fraudId: assessment.fraudId, score: assessment.score, decision: assessment.decision }
        : null,
    ...(authentication.made && { threeDs: authentication.made }),
    alertId: null,
    nextCheckAt: firstCheck(at),
    checks: 0,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
};

/** What the merchant keeps of what is bought, if it keeps orders; undefined for payouts. */
const boughtBy = (
  { txid, mid, rid, reference, tid, descriptor, card, createdAt }: Transaction,
  { sid, basket, payer, shipping, device }: Order,
  { shop, charged }: { shop: OrderProfile | undefined; charged: Money },
): KeptOrder | undefined =>
  shop && basket && card
    ? orderOfPayment(
        {
          ...{ txid, sid, mid, rid, reference, tid, descriptor, card, basket, payer, shipping, device },
          ...{ money: charged, at: createdAt },
        },
        shop,
      )
    : undefined;

/** The transaction, knowing how to find its order. */
const marked = (transaction: Transaction, bought: KeptOrder | undefined): Transaction =>
  bought ? { ...transaction, order: orderMarkOf(bought) } : transaction;

type Asked = {
  order: Order;
  card: Card | null;
  money: Money;
  threeDs: ThreeDsResult | null;
  /** The fraud check wants the cardholder authenticated, and the merchant has not done it. */
  authenticate: boolean;
  ring: KeyRing;
  returnUrl: string;
};

/** Asks one route after the other, as long as what went wrong is definite and another may do better. */
const askRoutes = async (
  begun: Known,
  routes: readonly Route[],
  asked: Asked,
): Promise<{ known: Known; outcome: Outcome }> => {
  let known = begun;
  let outcome: Outcome = { outcome: 'EXC', code: 'no_processor', reference: null };
  for (const [index, route] of routes.entries()) {
    if (index > 0) known = await moveToRoute(known, { processor: route.processor, routeId: route.id });
    const { transaction } = known;
    const processor = await usableProcessor(route, { sid: transaction.sid, ring: asked.ring });
    outcome = processor
      ? await answerOf(() => ask(processor, transaction, asked))
      : { outcome: 'EXC', code: 'processor_credentials', reference: null };
    if (!mayMoveOn(outcome)) break;
  }
  return { known, outcome: withPage(outcome, asked.returnUrl) };
};

/** A shop that has no page to take a payer's code can send them to ours. */
const withPage = (outcome: Outcome, url: string): Outcome =>
  outcome.outcome === 'PEND' && outcome.nextAction?.type === 'otp'
    ? { ...outcome, nextAction: { ...outcome.nextAction, url } }
    : outcome;

const ask = (
  processor: Processor,
  transaction: Transaction,
  { order, card, money, threeDs, authenticate, returnUrl }: Asked,
): Promise<Outcome> => {
  const { payer, descriptor, action } = order;
  const command = { idempotencyKey: transaction.idempotencyKey, txid: transaction.txid, money };
  if (action === 'PAYOUT') return processor.payout({ ...command, card, payer, descriptor });
  if (!card) throw new Error('A payment without a card came as far as the processor');
  const capture = action === 'PAYMENT';
  return processor.pay({ ...command, capture, card, payer, descriptor, returnUrl, threeDs, authenticate });
};
