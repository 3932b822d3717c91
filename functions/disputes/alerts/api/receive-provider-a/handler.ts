import { endpoint } from '#core/platform/http/http.ts';
import { providerA } from '#disputes/providers/provider-a.ts';
import { ingestMessage } from '../../intake/ingest-store.ts';
import { requireSignature } from '../../intake/intake-signature-store.ts';
import { quarantining } from '../../quarantine/quarantine-store.ts';
import { receiveProviderAOperation } from './operation.ts';

export const handler = endpoint(receiveProviderAOperation, ({ sent }) => ingestMessage(providerA.name, sent), {
  authenticate: requireSignature(providerA.secret),
  onRefusal: quarantining(providerA.name),
});
