import webPush from 'web-push';
import { sha256 } from '#core/kernel/crypto.ts';
import { isPushEndpoint } from '#core/kernel/push-endpoint.ts';
import { requireVariable } from '#core/platform/operation/environment.ts';
import { callGuarded } from '#core/platform/post/guarded-call-client.ts';
import { pushRules } from '#core/platform/post/push-rules.ts';
import type { PushContent } from './push-text.ts';

/** A subscription at a push service, as browsers give it. */
type Subscription = { endpoint: string; p256dh: string; auth: string };
type PushKeys = { publicKey: string; privateKey: string };

type PushOptions = { ttlSeconds: number; isUrgent: boolean };

/** The service answers within milliseconds; e-mails wait meanwhile. */
const limits = { timeoutMilliseconds: 4000, maxBytes: 16 * 1024 };

/** `gone`: the subscription has ended for good. `failed`: for now; `detail` never contains any of the content. */
export type PushResult = { kind: 'shown' } | { kind: 'gone' } | { kind: 'failed'; detail: string };

/** The subscription ended (RFC 8030), or was never valid. */
const goneStatuses = [404, 410];

/** The signed and encrypted request (RFC 8291, RFC 8292). */
const toPushRequest = (
  { endpoint, ...keys }: Subscription,
  pair: PushKeys,
  content: PushContent,
  { ttlSeconds, isUrgent }: PushOptions,
) => {
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(content), {
    vapidDetails: { subject: `mailto:${requireVariable('MAIL_FROM')}`, ...pair },
    TTL: ttlSeconds,
    urgency: isUrgent ? 'high' : 'normal',
    // A repeat replaces what the service has not delivered yet, as the tag does on the device.
    topic: sha256(content.tag).slice(0, 32),
  });
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return { url: endpoint, headers: texts, body: new Uint8Array(body ?? []) };
};

/** Encrypts a notification for a device and hands it to the device's push service. Never throws for what the service does. */
export const pushTo = async (
  { endpoint, p256dh, auth }: Subscription,
  keys: PushKeys,
  content: PushContent,
  options: PushOptions,
): Promise<PushResult> => {
  const rules = pushRules();
  if (!isPushEndpoint(endpoint, rules)) return { kind: 'gone' };
  const answer = await callGuarded(toPushRequest({ endpoint, p256dh, auth }, keys, content, options), rules, limits);
  if ('failure' in answer) return { kind: 'failed', detail: answer.detail };
  if (goneStatuses.includes(answer.status)) return { kind: 'gone' };
  return answer.status >= 200 && answer.status < 300
    ? { kind: 'shown' }
    : { kind: 'failed', detail: `status ${answer.status}` };
};
