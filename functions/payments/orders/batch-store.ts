import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { parse } from '#core/platform/http/parse.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { readOrder } from './order-input.ts';
import { type CreatedOrder, createOrder } from './order-store.ts';
import { OrderFields } from './schemas.ts';

/** The result of one entry of a batch; `error` is the code of a refusal. */
export type BatchEntry = { index: number; fate: 'created' | 'unchanged' | 'failed' } & (
  | { order_id: number }
  | { error: string; details: string }
);

const atOnce = 10;

/**
 * Stores orders ten at a time, those of one reference in their order. Returns what became of each, in their order; never throws
 * for a single one.
 */
export const storeBatch = async (owner: OrderProfile, orders: readonly unknown[]): Promise<BatchEntry[]> => {
  const entries: BatchEntry[] = [];
  const turns: Turns = new Map();
  for (let from = 0; from < orders.length; from += atOnce) {
    const some = orders.slice(from, from + atOnce);
    entries.push(...(await Promise.all(some.map((order, place) => storeOne(owner, order, from + place, turns)))));
  }
  return entries;
};

/** The last order of each reference that is being stored. */
type Turns = Map<string, Promise<unknown>>;

/** Of two orders with one reference, the earlier one in the batch must be the one that is kept. */
const inTurn = (turns: Turns, reference: string, store: () => Promise<CreatedOrder>): Promise<CreatedOrder> => {
  const stored = (turns.get(reference) ?? Promise.resolve()).then(store, store);
  turns.set(reference, stored);
  return stored;
};

const storeOne = async (owner: OrderProfile, order: unknown, index: number, turns: Turns): Promise<BatchEntry> => {
  try {
    const content = readOrder(parse(OrderFields, order), nowIso());
    const { orderId, created } = await inTurn(turns, content.reference, () => createOrder(owner, content));
    return { index, fate: created ? 'created' : 'unchanged', order_id: orderId };
  } catch (error) {
    if (error instanceof Refusal) return { index, fate: 'failed', error: error.code, details: error.details };
    // The results of the others stand; this one may be sent again.
    log('error', 'order_not_stored', { index, error: describeError(error) });
    return { index, fate: 'failed', error: 'internal', details: 'Send it again.' };
  }
};
