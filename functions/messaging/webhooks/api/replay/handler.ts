import { nowIso } from '#core/kernel/clock.ts';
import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { requestReplay } from '../../delivery/delivery-store.ts';
import { deliveryForCaller, hasMoved } from '../../delivery-access-store.ts';
import { replayNotificationOperation } from './operation.ts';

export const handler = auditedEndpoint(replayNotificationOperation, ({ params, caller }, diversion) =>
  retryOnConflict(
    async () => {
      const delivery = await deliveryForCaller(params.id, caller);
      await requestReplay(delivery, nowIso());
      diversion.mid = delivery.mid;
      diversion.isReal = await hasMoved(delivery);
      return { status: 'ok' as const, id: delivery.id };
    },
    { onExhausted: changedMeanwhile },
  ),
);
