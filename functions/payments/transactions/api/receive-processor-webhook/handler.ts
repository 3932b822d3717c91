import { endpoint } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { readWebhook } from '#payments/processors/ports/webhook-client.ts';
import { accountsAt, noteDisputes, settleEvents } from '../../settlement/processor-webhook-store.ts';
import { receiveProcessorWebhookOperation } from './operation.ts';

export const handler = endpoint(
  receiveProcessorWebhookOperation,
  async ({ params: { processor, sid }, headers, rawBody }) => {
    const [accounts, ring] = await Promise.all([accountsAt(sid, processor), keyRing('encryption')]);
    for (const account of accounts) {
      const events = await readWebhook(account, { sid, ring }, { headers, rawBody });
      if (!events) continue;
      await settleEvents(sid, processor, events);
      await noteDisputes({ sid, processor, routeId: account.id }, events);
      return '[accepted]';
    }
    // A site without such an account returns the same, so that outsiders do not learn which sites exist.
    throw new Refusal('signature_invalid', 'No account of this site signed it.');
  },
);
