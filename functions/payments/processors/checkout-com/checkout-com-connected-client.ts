import { iso } from '#core/kernel/clock.ts';
import type { ConnectedProcessorOf } from '../ports/account.ts';
import { findChargeback, pickCandidate } from '../ports/charge-state.ts';
import {
  type ChargeCandidate,
  type ChargeRefundRequest,
  type ChargeSearchResult,
  type Check,
  type ConnectedProcessor,
  type ConnectionTrouble,
  chargeSearchSpan,
  type DisputedCharge,
  isTrouble,
  refusedOutcome,
} from '../ports/connected-processor.ts';
import { checkRights, objectIn, outcomeOfAnswer, troubleOfAnswer } from '../ports/json-exchange-client.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { type LookedUp, refundAfterLooking, refundMark, stateAfterLooking } from '../ports/refund-after-looking.ts';
import {
  type CheckoutComAction,
  checkoutComAmountOf,
  checkoutComCandidateOf,
  readCheckoutComActions,
  readCheckoutComPayment,
  readCheckoutComSearch,
  refusalOfCheckoutCom,
  resultOfCheckoutComRefund,
} from './checkout-com-charges.ts';
import { listCheckoutComDisputes } from './checkout-com-disputes-client.ts';
import { type AskCheckoutCom, askCheckout, type CheckoutComKeys } from './checkout-com-exchange-client.ts';
import { listCheckoutComCharges } from './checkout-com-list-client.ts';

/** A merchant's own account at Checkout.com. */
export const connectCheckoutCom = (keys: CheckoutComKeys): ConnectedProcessor => {
  const ask = askCheckout(keys);
  return {
    kind: 'checkout_com',
    find: (disputed) => findCheckoutCharge(ask, disputed),
    look: async (reference) => pickCandidate(await readCharge(ask, reference)),
    list: (span, cursor) => listCheckoutComCharges(ask, span, cursor),
    refund: (request) =>
      refundAfterLooking('checkout.com', request, { look: () => lookUp(ask, request), send: () => send(ask, request) }),
    refundState: (request) => stateAfterLooking('checkout.com', request, () => lookUp(ask, request)),
    check: () => checkCheckout(ask),
  };
};

const readOr = async <T>(ask: AskCheckoutCom, path: string, reader: (body: unknown) => T | undefined) =>
  objectIn('checkout.com', await ask({ path }), reader);

type Charge = { candidate: ChargeCandidate; actions: readonly CheckoutComAction[] };

/** A payment with its actions and disputes; null if there is none. */
const readCharge = async (ask: AskCheckoutCom, reference: string): Promise<Charge | null | ConnectionTrouble> => {
  if (!/^pay_[a-z\d]{10,60}$/.test(reference)) return null;
  const payment = await readOr(ask, `/payments/${reference}`, readCheckoutComPayment);
  if (payment === null || isTrouble(payment)) return payment;
  const actions = await readOr(ask, `/payments/${reference}/actions`, readCheckoutComActions);
  if (actions === null || isTrouble(actions)) return actions;
  const candidate = checkoutComCandidateOf(payment.object, actions.object);
  if (!candidate) return null;
  const chargeback = findChargeback(await listCheckoutComDisputes(ask, { payment_id: reference }));
  if (isTrouble(chargeback)) return chargeback;
  return { candidate: { ...candidate, ...chargeback }, actions: actions.object };
};

/** The number of payments that one search reads; a card has few charges of one amount within a week. */
const maxFound = 40;

const findCheckoutCharge = async (ask: AskCheckoutCom, disputed: DisputedCharge): Promise<ChargeSearchResult> => {
  const { last4, money } = disputed;
  const amount = money ? checkoutComAmountOf(money) : undefined;
  // Checkout.com cannot have charged what it cannot count.
  if (money && amount === undefined) return { candidates: [], isWhole: true };
  const { from, to } = chargeSearchSpan(disputed);
  const query = [`last4:'${last4}'`, ...(money ? [`amount:${amount}`, `currency:'${money.currency}'`] : [])];
  const body = { query: query.join(' AND '), limit: maxFound, from: iso(from), to: iso(to) };
  const answer = await ask({ path: '/payments/search', body });
  const found = 'status' in answer && answer.status === 200 ? readCheckoutComSearch(answer.body) : undefined;
  if (!found) return troubleOfAnswer('checkout.com', answer);
  const charges = await Promise.all(found.data.slice(0, maxFound).map(({ id }) => readCharge(ask, id)));
  const [trouble] = charges.flatMap((one) => (one !== null && isTrouble(one) ? one : []));
  if (trouble) return trouble;
  const candidates = charges.flatMap((one) => (one !== null && !isTrouble(one) ? one.candidate : []));
  return { candidates, isWhole: (found._links?.next ?? null) === null && found.data.length < maxFound };
};

/** Checkout.com shows the reference of each action. */
const lookUp = async (ask: AskCheckoutCom, { reference, key }: ChargeRefundRequest): Promise<LookedUp> => {
  const found = await readCharge(ask, reference);
  if (found === null || isTrouble(found)) return found;
  const own = found.actions.find((one) => one.type === 'Refund' && one.reference === refundMark(key));
  return own ? resultOfCheckoutComRefund(own) : { candidate: found.candidate };
};

/** A refund is accepted first, and decided afterwards: if its action shows no result yet, it is asked about later. */
const send = async (ask: AskCheckoutCom, request: ChargeRefundRequest): Promise<ProcessorResult> => {
  const amount = checkoutComAmountOf(request.money);
  if (amount === undefined) return refusedOutcome('amount_invalid', 'checkout.com cannot count this amount');
  const path = `/payments/${request.reference}/refunds`;
  const body = { amount, reference: refundMark(request.key), metadata: { forewarn_alert: String(request.alertId) } };
  const answer = await ask({ path, body, key: request.key });
  if ('failure' in answer) return outcomeOfAnswer('checkout.com', answer);
  if (answer.status !== 202 && answer.status !== 200) {
    return refusalOfCheckoutCom(answer.status, answer.body) ?? outcomeOfAnswer('checkout.com', answer);
  }
  const decided = await lookUp(ask, request);
  return decided !== null && 'outcome' in decided ? decided : { outcome: 'PEND', reference: refundMark(request.key) };
};

/** No payment has this name, so a refund of it changes nothing and shows whether the key may refund. */
const nobody = 'pay_aaaaforewarncheckaaaaaaaaa';

const checkCheckout = (ask: AskCheckoutCom): Promise<Check> =>
  checkRights('Checkout.com', [
    ['payments:search', () => ask({ path: '/payments/search', body: { query: `id:'${nobody}'`, limit: 1 } })],
    ['gateway:payment-details', () => ask({ path: `/payments/${nobody}` })],
    ['gateway:payment-refunds', () => ask({ path: `/payments/${nobody}/refunds`, body: { amount: 1 }, key: nobody })],
    ['disputes:view', () => ask({ path: '/disputes?limit=1' })],
  ]);

export const checkoutComConnectedProcessorOf: ConnectedProcessorOf = ({ open }) =>
  connectCheckoutCom(open('checkout_com'));
