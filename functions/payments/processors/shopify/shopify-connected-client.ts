import * as v from 'valibot';
import { iso } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { ConnectedProcessorOf } from '../ports/account.ts';
import { findChargeback, pickCandidate, stateByDisputes } from '../ports/charge-state.ts';
import {
  type ChargeCandidate,
  type ChargePage,
  type ChargeRefundRequest,
  type ChargeSearchResult,
  type ChargeSpan,
  type Check,
  type ConnectedProcessor,
  type ConnectionTrouble,
  chargeSearchSpan,
  type DisputedCharge,
  isTrouble,
  refusedOutcome,
  unknownOutcome,
} from '../ports/connected-processor.ts';
import { outcomeOfAnswer, troubleOfAnswer } from '../ports/json-exchange-client.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { type LookedUp, refundAfterLooking, refundMark, stateAfterLooking } from '../ports/refund-after-looking.ts';
import { listShopifyDisputes } from './shopify-disputes-client.ts';
import { type AskShopify, askShopify, type ShopifyKeys } from './shopify-exchange-client.ts';
import { cancelShopifyContracts, holdShopifyOrder } from './shopify-fulfillment-client.ts';
import {
  mayBeChargedBack,
  ownCharges,
  readShopifyOrders,
  readShopifyRefund,
  readShopifyTransaction,
  refusalOfShopify,
  resultOfShopifyRefund,
  type ShopifyOrder,
  type ShopifyTransaction,
  shopifyCandidateOf,
  shopifyNumberOf,
} from './shopify-orders.ts';

/** The orders of a merchant's own shop at Shopify, whatever processes its cards. */
export const connectShopify = (keys: ShopifyKeys): ConnectedProcessor => {
  const ask = askShopify(keys);
  return {
    kind: 'shopify',
    find: (disputed) => findShopifyCharge(ask, disputed),
    look: async (reference) => pickCandidate(await readCharge(ask, reference)),
    list: (span, cursor) => listShopify(ask, span, cursor),
    refund: (request) =>
      refundAfterLooking('shopify', request, { look: () => lookUp(ask, request), send: () => send(ask, request) }),
    refundState: (request) => stateAfterLooking('shopify', request, () => lookUp(ask, request)),
    holdOrder: async (reference, alertId) => {
      const found = await readOrder(ask, reference);
      if (found === null) return { refused: 'Shopify has no such charge' };
      return isTrouble(found) ? { unknown: found.detail } : holdShopifyOrder(ask, found.order.id, alertId);
    },
    cancelSubscription: async (reference) => {
      const found = await readOrder(ask, reference);
      if (found === null) return refusedOutcome('not_found_at_processor', 'shopify has no such charge');
      return isTrouble(found) ? unknownOutcome(found.detail) : cancelShopifyContracts(ask, found.order.id);
    },
    check: () => checkShopify(ask),
  };
};

type Listed = { charge: ShopifyTransaction; order: ShopifyOrder };

/** Charges with what their disputes did to them. A key that may not read disputes must not hide a charge, whose state is unclear then. */
const readCandidates = async (
  ask: AskShopify,
  listed: readonly Listed[],
): Promise<readonly ChargeCandidate[] | ConnectionTrouble> => {
  const all = listed.map(({ charge, order }) => ({ candidate: shopifyCandidateOf(charge, order), order }));
  const [from] = all.flatMap(({ candidate, order }) => (mayBeChargedBack(order) ? candidate.date : [])).toSorted();
  if (from === undefined) return all.map(({ candidate }) => candidate);
  const disputes = await listShopifyDisputes(ask, from);
  const trouble = findChargeback(disputes);
  if (isTrouble(trouble) && trouble.problem !== 'credentials') return trouble;
  const found = 'found' in disputes ? disputes.found : [];
  return all.map(({ candidate, order }) => {
    if (!mayBeChargedBack(order)) return candidate;
    const own = found.filter(({ payments }) => payments.includes(candidate.reference));
    return { ...candidate, ...(own.length > 0 ? stateByDisputes(own) : { isUnclear: true }) };
  });
};

const chargesIn = (orders: readonly ShopifyOrder[]): readonly Listed[] =>
  orders.flatMap((order) => ownCharges(order).map((charge) => ({ charge, order })));

const findShopifyCharge = async (ask: AskShopify, disputed: DisputedCharge): Promise<ChargeSearchResult> => {
  const { last4, money } = disputed;
  const { from, to } = chargeSearchSpan(disputed);
  const query = `credit_card_last4:${last4} created_at:>='${iso(from)}' created_at:<='${iso(to)}'`;
  const answer = await ask('orders', { query, first: 50 });
  const found = 'status' in answer && answer.status === 200 ? readShopifyOrders(answer.body) : undefined;
  if (!found) return troubleOfAnswer('shopify', answer);
  const { nodes, pageInfo } = found.orders;
  const isAsked = (one: ChargeCandidate): boolean =>
    one.last4 === last4 && (!money || (one.money.minor === money.minor && one.money.currency === money.currency));
  const listed = chargesIn(nodes).filter(({ charge, order }) => isAsked(shopifyCandidateOf(charge, order)));
  const candidates = await readCandidates(ask, listed);
  return isTrouble(candidates) ? candidates : { candidates, isWhole: !pageInfo.hasNextPage };
};

/** A page of the charges of orders of a span. Shopify allows for a cost of each query: an order has up to a hundred transactions. */
const ordersPerPage = 25;

const listShopify = async (
  ask: AskShopify,
  { from, to }: ChargeSpan,
  after: string | null,
): Promise<ChargePage | ConnectionTrouble> => {
  const query = `created_at:>='${from}' created_at:<'${to}'`;
  const answer = await ask('orders', { query, first: ordersPerPage, after });
  const found = 'status' in answer && answer.status === 200 ? readShopifyOrders(answer.body) : undefined;
  if (!found) return troubleOfAnswer('shopify', answer);
  const { nodes, pageInfo } = found.orders;
  const charges = await readCandidates(ask, chargesIn(nodes));
  return isTrouble(charges) ? charges : { charges, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
};

const readOrder = async (ask: AskShopify, reference: string): Promise<Listed | null | ConnectionTrouble> => {
  const number = shopifyNumberOf(reference);
  if (number === undefined) return null;
  const id = `gid://shopify/OrderTransaction/${number}`;
  const answer = await ask('transaction', { id });
  const found = 'status' in answer && answer.status === 200 ? readShopifyTransaction(answer.body) : undefined;
  if (!found) return troubleOfAnswer('shopify', answer);
  const order = found.node?.order;
  const charge = order && ownCharges(order).find((one) => one.id === id);
  return order && charge ? { charge, order } : null;
};

const readCharge = async (
  ask: AskShopify,
  reference: string,
): Promise<(Listed & { candidate: ChargeCandidate }) | null | ConnectionTrouble> => {
  const found = await readOrder(ask, reference);
  if (found === null || isTrouble(found)) return found;
  const candidates = await readCandidates(ask, [found]);
  if (isTrouble(candidates)) return candidates;
  const [candidate] = candidates;
  return candidate ? { ...found, candidate } : null;
};

/** Shopify shows the note of a refund. */
const lookUp = async (ask: AskShopify, { reference, key }: ChargeRefundRequest): Promise<LookedUp> => {
  const found = await readCharge(ask, reference);
  if (found === null || isTrouble(found)) return found;
  const own = found.order.refunds.find(({ note }) => note === refundMark(key));
  return own ? resultOfShopifyRefund(own) : { candidate: found.candidate };
};

/** Refunds money alone: no items are returned, and the customer gets no message of the shop. */
const send = async (ask: AskShopify, { reference, money, key }: ChargeRefundRequest): Promise<ProcessorResult> => {
  const found = await readOrder(ask, reference);
  if (found === null || isTrouble(found)) return outcomeOfAnswer('shopify', { failure: 'unsent' });
  const { charge, order } = found;
  const input = {
    ...{ orderId: order.id, currency: money.currency, note: refundMark(key), notify: false },
    transactions: [
      {
        ...{ orderId: order.id, parentId: charge.id, gateway: charge.gateway, kind: 'REFUND' },
        amount: formatAmount(money),
      },
    ],
  };
  const answer = await ask('refund', { input, key });
  const said = 'status' in answer && answer.status === 200 ? readShopifyRefund(answer.body)?.refundCreate : undefined;
  if (!said) return outcomeOfAnswer('shopify', answer);
  if (said.refund) return resultOfShopifyRefund(said.refund);
  return refusalOfShopify(said.userErrors.map(({ message }) => message));
};

const Scopes = v.object({
  currentAppInstallation: v.object({ accessScopes: v.array(v.object({ handle: v.string() })) }),
});

/** `write_orders` includes `read_orders`. */
const neededScopes = ['write_orders', 'read_shopify_payments_disputes'];

const checkShopify = async (ask: AskShopify): Promise<Check> => {
  const answer = await ask('scopes');
  const { success, output } = v.safeParse(Scopes, 'status' in answer && answer.status === 200 && answer.body);
  if (!success) {
    const { problem } = troubleOfAnswer('shopify', answer);
    const isRight = problem === 'credentials';
    const detail = isRight ? 'Shopify does not know these keys.' : 'Shopify did not answer.';
    return { isWorking: false, problem, missing: [], detail };
  }
  const granted = output.currentAppInstallation.accessScopes.map(({ handle }) => handle);
  const missing = neededScopes.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return { isWorking: true };
  return { isWorking: false, problem: 'credentials', missing, detail: 'The app lacks a scope.' };
};

export const shopifyConnectedProcessorOf: ConnectedProcessorOf = ({ open }) => connectShopify(open('shopify'));
