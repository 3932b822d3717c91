import * as v from 'valibot';
import { joinReason } from '#core/kernel/card/scheme-reasons.ts';
import type { DisputesOf } from '../ports/account.ts';
import {
  type DisputeAnswer,
  type DisputePort,
  type DisputeStage,
  type DisputeStatus,
  type DisputesAnswer,
  foundAndUnread,
  type ProcessorDispute,
  unmappedStanding,
  unreadableDispute,
} from '../ports/dispute.ts';
import { type JsonAnswer, troubleOfAnswer } from '../ports/json-exchange-client.ts';
import { submitToShopify } from './shopify-evidence-client.ts';
import { type AskShopify, askShopify, type PostToShopify, shopifyPost } from './shopify-exchange-client.ts';
import { referenceIn, ShopifyMoney, shopifyNumberOf } from './shopify-orders.ts';

/** Disputes of Shopify Payments: https://shopify.dev/docs/api/admin-graphql/latest/objects/ShopifyPaymentsDispute */

const text = v.nullish(v.string(), '');

const Dispute = v.object({
  id: v.string(),
  type: v.string(),
  status: v.string(),
  initiatedAt: v.string(),
  evidenceDueBy: text,
  amount: ShopifyMoney,
  reasonDetails: v.nullish(v.object({ reason: text, networkReasonCode: text })),
  order: v.nullish(
    v.object({
      id: v.string(),
      transactions: v.array(v.object({ id: v.string(), kind: v.string(), status: v.string() })),
    }),
  ),
});

const Page = v.object({
  disputes: v.object({
    nodes: v.array(v.unknown()),
    pageInfo: v.object({ hasNextPage: v.boolean(), endCursor: v.nullish(v.string()) }),
  }),
});

const stages: Readonly<Record<string, DisputeStage>> = { CHARGEBACK: 'chargeback', INQUIRY: 'inquiry' };

const statuses: Readonly<Record<string, DisputeStatus>> = {
  NEEDS_RESPONSE: 'open',
  UNDER_REVIEW: 'under_review',
  ACCEPTED: 'lost',
  LOST: 'lost',
  CHARGE_REFUNDED: 'won',
  // Visa's Rapid Dispute Resolution at present: https://shopify.dev/changelog/adds-support-for-dispute-preventions (2025-09-18)
  PREVENTED: 'refunded_by_network',
  WON: 'won',
};

/** A day lasts until its end. */
const endOfDay = (time: string): string | undefined => {
  const whole = /^\d{4}-\d\d-\d\d$/.test(time) ? `${time}T23:59:59Z` : time;
  return Number.isNaN(Date.parse(whole)) ? undefined : new Date(whole).toISOString();
};

const gone: readonly DisputeStatus[] = ['lost', 'refunded_by_network'];

const shopifyStanding = ({ type, status: word }: v.InferOutput<typeof Dispute>) => {
  const [stage, status] = [stages[type], statuses[word]];
  if (!stage || !status) return unmappedStanding(stage ? word : type);
  return { stage, status, isTaken: gone.includes(status) || (stage !== 'inquiry' && status !== 'won') };
};

/** The order's charges are its payments: Shopify does not say which one is disputed. */
export const disputeOfShopify = (node: unknown): ProcessorDispute | undefined => {
  const { success, output } = v.safeParse(Dispute, node);
  const openedAt = success ? endOfDay(output.initiatedAt) : undefined;
  if (!success || openedAt === undefined) return undefined;
  const charges = (output.order?.transactions ?? []).filter(
    (one) => one.status === 'SUCCESS' && (one.kind === 'SALE' || one.kind === 'CAPTURE'),
  );
  return {
    reference: referenceIn(output.id),
    payments: charges.map(({ id }) => referenceIn(id)),
    ...shopifyStanding(output),
    money: output.amount,
    reasonCode: joinReason(output.reasonDetails?.networkReasonCode ?? '', output.reasonDetails?.reason ?? ''),
    network: '',
    dueBy: endOfDay(output.evidenceDueBy ?? '') ?? null,
    openedAt,
  };
};

const shopifyGap = (answer: JsonAnswer) => ({ unknown: troubleOfAnswer('shopify', answer).detail });

const readShopifyDispute = async (ask: AskShopify, reference: string): Promise<DisputeAnswer> => {
  const number = shopifyNumberOf(reference);
  if (number === undefined) return { found: null };
  const answer = await ask('dispute', { id: `gid://shopify/ShopifyPaymentsDispute/${number}` });
  const { success, output } = v.safeParse(v.object({ dispute: v.nullable(v.unknown()) }), okBody(answer));
  if (!success) return shopifyGap(answer);
  if (output.dispute === null) return { found: null };
  const found = disputeOfShopify(output.dispute);
  return found ? { found } : unreadableDispute('shopify');
};

const okBody = (answer: JsonAnswer): unknown => ('status' in answer && answer.status === 200 ? answer.body : undefined);

const maxPages = 20;

const referenceOfNode = (node: unknown): string => {
  const { success, output } = v.safeParse(v.object({ id: v.string() }), node);
  return success ? referenceIn(output.id) : '';
};

/** The newest come first. */
export const listShopifyDisputes = async (ask: AskShopify, from: string): Promise<DisputesAnswer> => {
  const all: { reference: string; dispute: ProcessorDispute | undefined }[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await ask('disputes', { after });
    const { success, output } = v.safeParse(Page, okBody(answer));
    if (!success) return shopifyGap(answer);
    const { nodes, pageInfo } = output.disputes;
    const listed = nodes.map((node) => ({ reference: referenceOfNode(node), dispute: disputeOfShopify(node) }));
    all.push(...listed.filter(({ dispute }) => !dispute || dispute.openedAt >= from));
    const isPast = listed.some(({ dispute }) => dispute && dispute.openedAt < from);
    if (isPast || !pageInfo.hasNextPage || !pageInfo.endCursor) return foundAndUnread('shopify', all);
    after = pageInfo.endCursor;
  }
  return { unknown: 'shopify has too many disputes that fit' };
};

/** Disputes of a shop. Shopify has no call that accepts one: https://shopify.dev/docs/api/admin-graphql/latest/mutations */
export const shopifyDisputes = (ask: AskShopify, post: PostToShopify): DisputePort => ({
  look: (reference) => readShopifyDispute(ask, reference),
  since: (from) => listShopifyDisputes(ask, from),
  submit: (reference, evidence) => submitToShopify({ ask, post, reference }, evidence),
});

export const shopifyDisputesOf: DisputesOf = ({ open }) => {
  const keys = open('shopify');
  const post = shopifyPost(keys);
  return shopifyDisputes(askShopify(keys, post), post);
};
