import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { readOrder } from '../../order-input.ts';
import { orderSiteForCaller, createOrder as store } from '../../order-store.ts';
import { createOrderOperation } from './operation.ts';

export const handler = endpoint(
  createOrderOperation,
  idempotent(createOrderOperation, async ({ body: { sid, ...fields }, caller }) => {
    const content = readOrder(fields, nowIso());
    const { orderId, created } = await store(await orderSiteForCaller(sid, caller), content);
    return { status: 'ok' as const, order_id: orderId, created };
  }),
);
