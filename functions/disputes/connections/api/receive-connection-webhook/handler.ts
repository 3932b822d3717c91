import { endpoint } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { noteDisputes } from '#payments/transactions/settlement/processor-webhook-store.ts';
import { connectionOfId } from '../../connection.ts';
import { readConnections } from '../../connection-store.ts';
import { readConnectionWebhook } from '../../connection-webhook-client.ts';
import { receiveConnectionWebhookOperation } from './operation.ts';

export const handler = endpoint(
  receiveConnectionWebhookOperation,
  async ({ params: { mid, id }, headers, rawBody }) => {
    const connection = connectionOfId(await readConnections(mid), id);
    const context = { mid, ring: await keyRing('encryption') };
    const events = connection && (await readConnectionWebhook(connection, context, { headers, rawBody }));
    // An unknown connection gets the same answer, so that outsiders cannot learn which ones exist.
    if (!connection || !events)
      throw new Refusal('signature_invalid', 'The connection did not sign it, or does not exist.');
    await noteDisputes({ mid, processor: connection.kind, connection: id }, events);
    return '[accepted]';
  },
);
