import * as v from 'valibot';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { parseJson } from '#core/platform/http/json.ts';
import { isSignedWebhook } from '#core/platform/post/signature.ts';
import type { WebhookOf } from '../ports/account.ts';
import { ServiceText } from './http-messages.ts';

const Event = v.looseObject({ dispute: v.pipe(ServiceText, v.minLength(1), v.maxLength(200)) });

/**
 * A webhook of a merchant's own service, which names a dispute that is new or has changed. It is signed by Standard Webhooks with the secret
 * that signs calls to the service. What it names is asked for at the service; a repeated one does no harm.
 */
export const httpWebhookOf: WebhookOf = ({ open }, { headers, rawBody }) => {
  const { secret } = open('http');
  if (!isSignedWebhook({ headers, body: rawBody, secret, nowSeconds: nowMilliseconds() / 1000 })) return undefined;
  const { success, output } = v.safeParse(Event, parseJson(rawBody));
  if (!success) return [];
  return [{ id: headers['webhook-id'] ?? '', txid: null, references: [], dispute: output.dispute }];
};
