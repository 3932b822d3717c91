import { endpoint } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { storeBatch } from '../../batch-store.ts';
import { orderSiteForCaller } from '../../order-store.ts';
import { createOrdersOperation } from './operation.ts';

export const handler = endpoint(
  createOrdersOperation,
  idempotent(createOrdersOperation, async ({ body: { sid, orders }, caller }) => {
    const list = await storeBatch(await orderSiteForCaller(sid, caller), orders);
    const count = (fate: string) => list.filter((one) => one.fate === fate).length;
    return {
      status: 'ok' as const,
      created: count('created'),
      unchanged: count('unchanged'),
      failed: count('failed'),
      list: list.map(({ fate: _, ...entry }) => entry),
    };
  }),
);
