import { recordReplyUpdate } from '../alerts/answer/update-store.ts';
import { nowIso } from '../core/clock.ts';
import { randomText } from '../core/ids.ts';
import { keys } from '../core/keys.ts';
import { log } from '../core/log.ts';
import { getItems } from '../core/table.ts';
import { RetryLater } from '../core/worker.ts';
import type { Site } from '../merchants/site.ts';
import { fromSiteItem } from '../merchants/site-row.ts';
import { openSecrets } from '../merchants/site-store.ts';
import { type Delivery, type DeliveryAttempt, type ReplyUpdate, urlOf } from '../notifications/delivery.ts';
import type { DeliveryMessage } from '../notifications/messages.ts';
import { attemptOf, attemptWithoutUrl, headersOf, updateIn } from './attempt.ts';
import { bodyFor } from './body-format.ts';
import { acquireLease, recordAttempt } from './delivery-store.ts';
import type { Attempt, Sender } from './sender.ts';

/** The sites of a batch by sid, in one read. */
export const readSites = async (sids: readonly number[]): Promise<ReadonlyMap<number, Site>> => {
  const items = await getItems([...new Set(sids)].map((sid) => keys.site(sid)));
  const sites = items.flatMap((item) => (item ? [fromSiteItem(item)] : []));
  return new Map(sites.map((site) => [site.sid, site]));
};

/** Somebody else is making this attempt: the message has to come again, in case that one is cut off. */
class AttemptUnderWay extends RetryLater {
  override readonly name = 'AttemptUnderWay';
}

/**
 * Makes the attempt that a delivery owes at a slot, if it owes one: a claim, a POST, a write of what came of it. What the
 * merchant's endpoint does is never an error here. Throws if the attempt is somebody else's just now, or for troubles of
 * our own; the attempt then stays owed.
 */
export const makeAttempt = async (
  { deliveryId, slot }: Pick<DeliveryMessage, 'deliveryId' | 'slot'>,
  site: Site | undefined,
  sender: Pick<Sender, 'post'>,
): Promise<void> => {
  const attemptId = randomText(16);
  const acquired = await acquireLease(deliveryId, slot, attemptId);
  if (acquired.kind === 'busy') throw new AttemptUnderWay(`${deliveryId} at ${slot}`);
  if (acquired.kind === 'nothing') return;
  const { delivery } = acquired;
  const made = await attempt(delivery, { slot, attemptId }, site, sender);
  await recordAttempt(delivery, made);
  const { status, error, latencyMilliseconds } = made;
  log('info', 'delivery_attempt', {
    deliveryId,
    kind: delivery.kind,
    sid: delivery.sid,
    slot,
    status,
    error,
    latencyMilliseconds,
  });
};

const attempt = async (
  delivery: Delivery,
  { slot, attemptId }: { slot: string; attemptId: string },
  site: Site | undefined,
  sender: Pick<Sender, 'post'>,
): Promise<DeliveryAttempt> => {
  const at = nowIso();
  const url = urlOf(delivery, site?.alert ?? null);
  const made = { id: attemptId, at, slot, url };
  if (!site || url === null) return attemptWithoutUrl(made);
  const secrets = await openSecrets(site, at);
  const sent = bodyFor(delivery, site.alert);
  const headers = headersOf({ id: delivery.id, ...sent }, secrets, at);
  const result = await sender.post({ url, headers, body: sent.body });
  return attemptOf(made, result, await takeReply(delivery, result), secrets);
};

/** Takes the update in a reply, before the delivery is written: an answer of the merchant's is not to be lost. */
const takeReply = async ({ kind, sid, alertId }: Delivery, result: Attempt): Promise<ReplyUpdate | null> => {
  const update = updateIn(kind, result);
  return update && alertId !== null ? recordReplyUpdate({ alertId, sid, update, at: nowIso() }) : null;
};
