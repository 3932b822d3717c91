import { nowIso } from '../../core/clock.ts';
import { changedMeanwhile, retryOnConflict } from '../../core/conflict-store.ts';
import { endpoint } from '../../core/http.ts';
import { deliveryForCaller } from '../access-store.ts';
import { requestReplay } from '../delivery-store.ts';
import { replayNotification } from './operation.ts';

export const handler = endpoint(replayNotification, ({ params, caller }) =>
  retryOnConflict(
    async () => {
      const delivery = await deliveryForCaller(params.id, caller);
      await requestReplay(delivery, nowIso());
      return { status: 'ok' as const, id: delivery.id };
    },
    { onExhausted: changedMeanwhile },
  ),
);
