import * as v from 'valibot';
import { type OrderHold, refusedOutcome, unknownOutcome } from '../ports/connected-processor.ts';
import { outcomeOfAnswer, troubleOfAnswer } from '../ports/json-exchange-client.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import type { AskShopify } from './shopify-exchange-client.ts';

/** Changes to an order of a shop: parts that are not shipped yet are held, and subscriptions that it began or renewed are cancelled. */

const Fulfillment = v.object({
  order: v.nullable(
    v.object({
      fulfillmentOrders: v.object({
        nodes: v.array(
          v.object({
            id: v.string(),
            status: v.string(),
            fulfillmentHolds: v.nullish(
              v.array(v.object({ handle: v.nullish(v.string(), ''), heldByRequestingApp: v.boolean() })),
              [],
            ),
          }),
        ),
      }),
    }),
  ),
});
const Held = v.object({
  fulfillmentOrderHold: v.object({
    fulfillmentHold: v.nullish(v.object({ id: v.string() })),
    userErrors: v.array(v.object({ code: v.nullish(v.string(), '') })),
  }),
});
const Contracts = v.object({
  order: v.nullable(
    v.object({
      lineItems: v.object({
        nodes: v.array(
          v.object({ contract: v.nullish(v.object({ id: v.string(), status: v.nullish(v.string(), '') })) }),
        ),
      }),
    }),
  ),
});
const Cancelled = v.object({
  subscriptionContractCancel: v.object({
    contract: v.nullish(v.object({ id: v.string(), status: v.nullish(v.string(), '') })),
    userErrors: v.array(v.object({ message: v.string() })),
  }),
});

const needsScope = (scope: string): string => `Shopify refused: the app needs ${scope}`;

/** The states in which a part can still be held: https://shopify.dev/docs/api/admin-graphql/2026-07/enums/FulfillmentOrderStatus (2026-11-29) */
const unshipped: readonly string[] = ['OPEN', 'SCHEDULED', 'ON_HOLD'];

/** Asks Shopify and reads its data; a hold that says why not. */
const readShopify = async <S extends v.GenericSchema>(
  ask: AskShopify,
  name: Parameters<AskShopify>[0],
  variables: Readonly<Record<string, unknown>>,
  schema: S,
): Promise<{ data: v.InferOutput<S> } | OrderHold> => {
  const answer = await ask(name, variables);
  if ('status' in answer && answer.status === 403)
    return { refused: needsScope('write_merchant_managed_fulfillment_orders') };
  const { success, output } = v.safeParse(
    schema,
    'status' in answer && answer.status === 200 ? answer.body : undefined,
  );
  return success ? { data: output } : { unknown: troubleOfAnswer('shopify', answer).detail };
};

/**
 * Holds each part of an order that is not shipped: https://shopify.dev/docs/api/admin-graphql/2026-07/mutations/fulfillmentOrderHold (2026-11-29).
 * `handle` names the hold, so that a repeated one is refused by Shopify as the same.
 */
export const holdShopifyOrder = async (ask: AskShopify, orderId: string, alertId: number): Promise<OrderHold> => {
  const found = await readShopify(ask, 'fulfillment', { id: orderId }, Fulfillment);
  if (!('data' in found)) return found;
  const parts = found.data.order?.fulfillmentOrders.nodes.filter(({ status }) => unshipped.includes(status)) ?? [];
  if (parts.length === 0) return { refused: 'no part of it can be held' };
  const handle = `fw-${alertId}`;
  for (const { id, fulfillmentHolds } of parts) {
    if (fulfillmentHolds?.some((one) => one.heldByRequestingApp && one.handle === handle)) continue;
    const hold = {
      reason: 'HIGH_RISK_OF_FRAUD',
      reasonNotes: `Dispute alert ${alertId}`,
      handle,
      notifyMerchant: true,
    };
    const held = await readShopify(ask, 'holdFulfillment', { id, hold }, Held);
    if (!('data' in held)) return held;
    const { fulfillmentHold, userErrors } = held.data.fulfillmentOrderHold;
    const [error] = userErrors;
    if (!fulfillmentHold && error?.code !== 'DUPLICATE_FULFILLMENT_HOLD_HANDLE')
      return { refused: `Shopify refused the hold (${error?.code || 'no reason'})` };
  }
  return { held: `order held at Shopify (${parts.length === 1 ? 'one part' : `${parts.length} parts`})` };
};

/**
 * Cancels the contracts of an order's items: https://shopify.dev/docs/api/admin-graphql/2026-07/mutations/subscriptionContractCancel (2026-11-29).
 * An app may only cancel those that it owns (write_own_subscription_contracts).
 */
export const cancelShopifyContracts = async (ask: AskShopify, orderId: string): Promise<ProcessorResult> => {
  const answer = await ask('contracts', { id: orderId });
  if ('status' in answer && answer.status === 403)
    return refusedOutcome('operation_not_supported', needsScope('write_own_subscription_contracts'));
  const { success, output } = v.safeParse(
    Contracts,
    'status' in answer && answer.status === 200 ? answer.body : undefined,
  );
  if (!success) return outcomeOfAnswer('shopify', answer);
  const contracts = output.order?.lineItems.nodes.flatMap(({ contract }) => contract ?? []) ?? [];
  const all = [...new Map(contracts.map((one) => [one.id, one])).values()];
  if (all.length === 0) return refusedOutcome('not_found_at_processor', 'shopify: the order has no subscription');
  for (const { id, status } of all) {
    if (status === 'CANCELLED' || status === 'EXPIRED') continue;
    const cancelled = await ask('cancelContract', { id });
    const read = v.safeParse(Cancelled, 'status' in cancelled && cancelled.status === 200 ? cancelled.body : undefined);
    if (!read.success && 'status' in cancelled && cancelled.status === 403)
      return refusedOutcome('operation_not_supported', needsScope('write_own_subscription_contracts'));
    if (!read.success) return outcomeOfAnswer('shopify', cancelled);
    const { contract, userErrors } = read.output.subscriptionContractCancel;
    if (contract?.status !== 'CANCELLED' && userErrors.length === 0)
      return unknownOutcome('shopify did not say that the subscription is cancelled');
    if (contract?.status !== 'CANCELLED')
      return refusedOutcome('operation_not_supported', 'shopify refused to cancel the subscription of another app');
  }
  return { outcome: 'OK', reference: all.map(({ id }) => id.split('/').at(-1) ?? id).join(', ') };
};
