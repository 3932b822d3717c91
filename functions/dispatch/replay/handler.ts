import { nowIso } from '../../core/clock.ts';
import { Refusal } from '../../core/errors.ts';
import { endpoint } from '../../core/http.ts';
import { deliveryForCaller } from '../access-store.ts';
import { requestReplay } from '../delivery-store.ts';
import { replayNotification } from './operation.ts';

/** A write in between is an attempt's or an outcome's: rare, and over after a few. */
const maxAttempts = 5;

export const handler = endpoint(replayNotification, async ({ params, caller }) => {
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const delivery = await deliveryForCaller(params.id, caller);
    if (await requestReplay(delivery, nowIso())) return { status: 'ok' as const, id: delivery.id };
  }
  throw new Refusal('changed_meanwhile', 'Try again.');
});
