import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { requestReplay } from '../../delivery/delivery-store.ts';
import { deliveryForCaller } from '../../delivery-access-store.ts';
import { replayNotificationOperation } from './operation.ts';

export const handler = endpoint(replayNotificationOperation, ({ params, caller }) =>
  retryOnConflict(
    async () => {
      const delivery = await deliveryForCaller(params.id, caller);
      await requestReplay(delivery, nowIso());
      return { status: 'ok' as const, id: delivery.id };
    },
    { onExhausted: changedMeanwhile },
  ),
);
