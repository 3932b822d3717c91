import { unescape as decoded } from 'node:querystring';
import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openSecrets } from '#accounts/merchants/site/site-store.ts';
import { maskIssuedCards } from '#core/kernel/card/card-numbers.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { log } from '#core/platform/log/log.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import type { Attempt, Sender } from '#core/platform/post/sender.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, putItem } from '#core/platform/table/table.ts';
import { recordReplyUpdate } from '#disputes/alerts/answer/update-store.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  maskUrl,
  type ReplyUpdateResult,
  targetUrl,
} from '../delivery/delivery.ts';
import type { DeliveryMessage } from '../delivery/delivery-due.ts';
import { isChat } from '../delivery/delivery-policy.ts';
import { acquireLease, recordAttempt } from '../delivery/delivery-store.ts';
import { attemptWithoutUrl, chatHeaders, makeHeaders, toDeliveryAttempt, updateIn } from './attempt.ts';
import { bodyFor } from './body-format.ts';
import { bodyNow } from './body-store.ts';
import { fromHangingItem, toHangingItem } from './hanging-row.ts';
import { type Hanging, hangingAfter } from './hanging-sites.ts';

/** A site as a batch finds it, and whether its endpoint hung recently. */
export type SiteNow = { site: Site | undefined; hanging: Hanging | undefined };

/** The sites of a batch by sid, in one read. */
export const readSitesNow = async (sids: readonly number[]): Promise<ReadonlyMap<number, SiteNow>> => {
  const wanted = [...new Set(sids)];
  const items = await getItems([...wanted.map(keys.site), ...wanted.map(keys.siteHanging)]);
  return new Map(
    wanted.map((sid, index) => {
      const [site, hanging] = [items[index], items[wanted.length + index]];
      return [sid, { site: site && fromSiteItem(site), hanging: fromHangingItem(hanging) }];
    }),
  );
};

/** Another worker is making this attempt: the message has to be redelivered, in case that worker is cut off. */
class AttemptInProgressError extends RetryLaterError {
  override readonly name = 'AttemptInProgressError';
}

/**
 * Makes the attempt that is due for a delivery at a slot, if any: a lease, a POST, a write of the result. Whatever the merchant's endpoint
 * does is never an error here. Throws if another process is making the attempt, or for internal failures; the attempt then stays due.
 */
export const makeAttempt = async (
  { deliveryId, slot }: Pick<DeliveryMessage, 'deliveryId' | 'slot'>,
  site: Site | undefined,
  sender: Pick<Sender, 'post'>,
): Promise<void> => {
  const attemptId = randomText(16);
  const acquired = await acquireLease(deliveryId, slot, attemptId);
  if (acquired.kind === 'busy') throw new AttemptInProgressError(`${deliveryId} at ${slot}`);
  if (acquired.kind === 'nothing') return;
  const { delivery } = acquired;
  const made = await attempt(delivery, { slot, attemptId }, site, sender);
  await recordAttempt(delivery, made);
  const hanging = made.error === 'timeout' ? hangingAfter(delivery.sid, slot, nowIso()) : undefined;
  if (hanging) await putItem(toHangingItem(hanging));
  const { status, error, latencyMilliseconds } = made;
  log('info', 'delivery_attempt', {
    deliveryId,
    alertId: delivery.alertId ?? undefined,
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
  const made = { id: attemptId, at, slot, url: null };
  if (!site) return attemptWithoutUrl(made);
  const { kind } = delivery;
  const { chatUrls, ...secrets } = await openSecrets(site, at);
  const url = targetUrl(delivery, site.alert, chatUrls);
  if (url === null) return attemptWithoutUrl(made);
  const sent = bodyFor({ ...delivery, body: maskIssuedCards(await bodyNow(delivery, at)) }, site.alert);
  const signed = { ...secrets, username: site.alert?.username ?? '' };
  const headers = isChat(kind)
    ? chatHeaders(sent)
    : makeHeaders({ id: delivery.messageId ?? delivery.id, ...sent }, signed, at);
  const result = await sender.post({ url, headers, body: sent.body });
  const known = isChat(kind) ? urlParts(url) : [...secrets.signingSecrets, ...(secrets.token ? [secrets.token] : [])];
  const shown = { ...made, url: maskUrl(kind, url) };
  return toDeliveryAttempt(shown, result, await takeReply(delivery, result), known);
};

/** The minimum length at which a part of an address counts as its secret. */
const shortestSecret = 8;

/** Returns the parts of a chat's address that its reply may repeat, as written or decoded; the longest first. */
const urlParts = (url: string): string[] => {
  const { pathname, search } = new URL(url);
  const wholes = [url, `${pathname}${search}`, pathname, search].filter((part) => part.length > 1);
  const parts = `${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= shortestSecret);
  return [...wholes, ...parts].flatMap((part) => [part, decoded(part)]);
};

/** Records the update in a reply before the delivery is written, so that the merchant's answer is not lost. */
const takeReply = async ({ kind, sid, alertId }: Delivery, result: Attempt): Promise<ReplyUpdateResult | null> => {
  const found = updateIn(kind, result);
  if (!found || alertId === null) return null;
  if ('unreadable' in found) return { accepted: false, reason: found.unreadable };
  return recordReplyUpdate({ alertId, sid, update: found.update, at: nowIso() });
};
