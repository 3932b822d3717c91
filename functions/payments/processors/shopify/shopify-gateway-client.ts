import * as v from 'valibot';
import { iso } from '#core/kernel/clock.ts';
import { formatAmount } from '#core/kernel/money/money.ts';
import type { GatewayOf } from '../ports/account.ts';
import { candidateOf, firstTakenAt } from '../ports/charge-state.ts';
import {
  type ChargeCandidate,
  type ChargePage,
  type ChargeRefundRequest,
  type ChargeSearchResult,
  type ChargeSpan,
  type Check,
  chargeSearchSpan,
  type DisputedCharge,
  type Gateway,
  type GatewayTrouble,
  isTrouble,
} from '../ports/gateway.ts';
import { outcomeOfAnswer, troubleOfAnswer } from '../ports/json-exchange-client.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { type LookedUp, refundAfterLooking, refundMark, stateAfterLooking } from '../ports/refund-after-looking.ts';
import { listShopifyDisputes } from './shopify-disputes-client.ts';
import { type AskShopify, type ShopifyKeys, shopifyOf } from './shopify-exchange-client.ts';
import {
  chargesOf,
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
export const shopifyGateway = (keys: ShopifyKeys): Gateway => {
  const ask = shopifyOf(keys);
  return {
    kind: 'shopify',
    find: (disputed) => find(ask, disputed),
    look: async (reference) => candidateOf(await readCharge(ask, reference)),
    list: (span, cursor) => list(ask, span, cursor),
    refund: (order) =>
      refundAfterLooking('shopify', order, { look: () => lookUp(ask, order), send: () => send(ask, order) }),
    refundState: (order) => stateAfterLooking('shopify', order, () => lookUp(ask, order)),
    check: () => check(ask),
  };
};

/** An order does not say since when it is charged back; its disputes are searched for that only then. */
const withDate = async (ask: AskShopify, candidate: ChargeCandidate): Promise<ChargeCandidate> => {
  if (!candidate.isChargedBack) return candidate;
  const disputes = await listShopifyDisputes(ask, candidate.date);
  const own =
    'found' in disputes ? disputes.found.filter(({ payments }) => payments.includes(candidate.reference)) : [];
  const chargedBackAt = firstTakenAt(own);
  return chargedBackAt === undefined ? candidate : { ...candidate, chargedBackAt };
};

const find = async (ask: AskShopify, disputed: DisputedCharge): Promise<ChargeSearchResult> => {
  const { last4, money } = disputed;
  const { from, to } = chargeSearchSpan(disputed);
  const query = `credit_card_last4:${last4} created_at:>='${iso(from)}' created_at:<='${iso(to)}'`;
  const answer = await ask('orders', { query, first: 50 });
  const found = 'status' in answer && answer.status === 200 ? readShopifyOrders(answer.body) : undefined;
  if (!found) return troubleOfAnswer('shopify', answer);
  const { nodes, pageInfo } = found.orders;
  const candidates = nodes
    .flatMap((order) => chargesOf(order).map((charge) => shopifyCandidateOf(charge, order)))
    .filter((one) => one.last4 === last4)
    .filter((one) => !money || (one.money.minor === money.minor && one.money.currency === money.currency));
  const dated: ChargeCandidate[] = [];
  for (const candidate of candidates) dated.push(await withDate(ask, candidate));
  return { candidates: dated, isWhole: !pageInfo.hasNextPage };
};

/** A page of the charges of orders of a span. Shopify allows for a cost of each query: an order has up to a hundred transactions. */
const ordersPerPage = 25;

const list = async (
  ask: AskShopify,
  { from, to }: ChargeSpan,
  after: string | null,
): Promise<ChargePage | GatewayTrouble> => {
  const query = `created_at:>='${from}' created_at:<'${to}'`;
  const answer = await ask('orders', { query, first: ordersPerPage, after });
  const found = 'status' in answer && answer.status === 200 ? readShopifyOrders(answer.body) : undefined;
  if (!found) return troubleOfAnswer('shopify', answer);
  const { nodes, pageInfo } = found.orders;
  const charges = nodes.flatMap((order) => chargesOf(order).map((charge) => shopifyCandidateOf(charge, order)));
  return { charges, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
};

type Charge = { charge: ShopifyTransaction; order: ShopifyOrder };

const readOrder = async (ask: AskShopify, reference: string): Promise<Charge | null | GatewayTrouble> => {
  const number = shopifyNumberOf(reference);
  if (number === undefined) return null;
  const id = `gid://shopify/OrderTransaction/${number}`;
  const answer = await ask('transaction', { id });
  const found = 'status' in answer && answer.status === 200 ? readShopifyTransaction(answer.body) : undefined;
  if (!found) return troubleOfAnswer('shopify', answer);
  const order = found.node?.order;
  const charge = order && chargesOf(order).find((one) => one.id === id);
  return order && charge ? { charge, order } : null;
};

const readCharge = async (
  ask: AskShopify,
  reference: string,
): Promise<(Charge & { candidate: ChargeCandidate }) | null | GatewayTrouble> => {
  const found = await readOrder(ask, reference);
  if (found === null || isTrouble(found)) return found;
  return { ...found, candidate: await withDate(ask, shopifyCandidateOf(found.charge, found.order)) };
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

const check = async (ask: AskShopify): Promise<Check> => {
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

export const shopifyGatewayOf: GatewayOf = ({ open }) => shopifyGateway(open('shopify'));
