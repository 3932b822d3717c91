import * as v from 'valibot';
import { crossFacets } from '#core/platform/lists/listing.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { type Outgoing, Slot } from '#core/platform/work/due.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import type { ReplayFailed } from './api/replay-failed/operation.ts';
import { deliveryKinds } from './delivery/delivery-policy.ts';
import { type DeliverySummary, deliveryEntity } from './delivery/delivery-row.ts';
import { getDelivery, requestReplay } from './delivery/delivery-store.ts';
import { scopeForCaller } from './delivery-access-store.ts';

const maxReplays = 1000;
/** Identifiers in one message: a moment's work. */
const perMessage = 50;

/** Makes the replays due that were requested for these notifications at a time. The sweep's worker does it. */
export const ReplayMessage = v.object({ replays: v.array(v.string()), at: Slot });

type Wanted = v.InferOutput<typeof ReplayFailed>;

/** Given up, or tried without success so far. */
const hasFailed = ({ state, attempts }: DeliverySummary): boolean =>
  state === 'EXPIRED' || (attempts.at(-1)?.error ?? null) !== null;

/** The notifications of a site that failed, newest first. Throws site_not_found also for another merchant's site. */
export const failedDeliveries = async ({ sid, kind, from, to }: Wanted, caller: Caller): Promise<string[]> => {
  const scope = await scopeForCaller({ sid }, caller);
  if (!scope) return [];
  const facets = crossFacets(['PENDING', 'EXPIRED'], kind ?? deliveryKinds);
  const found = await readFirst<DeliverySummary>({
    entity: deliveryEntity,
    ...scope,
    facets,
    from,
    to,
    order: 'DESC',
    size: maxReplays,
  });
  return found.filter(hasFailed).map(({ id }) => id);
};

/** Queues a replay of each. `at`: ISO, now; it distinguishes a redelivered message from another request. */
export const queueReplays = (ids: readonly string[], at: string): Promise<void> =>
  sendOrThrow(
    Array.from({ length: Math.ceil(ids.length / perMessage) }, (_, part): Outgoing => {
      const replays = ids.slice(part * perMessage, (part + 1) * perMessage);
      return { queue: 'sweep', body: { replays, at } satisfies v.InferOutput<typeof ReplayMessage> };
    }),
  );

/**
 * Makes the replay of a notification due that was requested at a time, once, however often this is called. Throws if other processes keep
 * changing it.
 */
export const replayOnce = (id: string, at: string): Promise<void> =>
  retryOnConflict(async () => {
    const delivery = await getDelivery(id);
    const isDone = delivery?.attempts.some((attempt) => attempt.slot >= at) || delivery?.manualSlot === at;
    // It was delivered meanwhile on its own schedule: the receiver does not need it twice.
    if (!delivery || isDone || delivery.state === 'DELIVERED') return;
    await requestReplay(delivery, at);
  });
