import { endpoint } from '#core/platform/http/http.ts';
import { providerB } from '#disputes/providers/provider-b.ts';
import { ingestMessage } from '../../intake/ingest-store.ts';
import { requireSignature } from '../../intake/intake-signature-store.ts';
import { quarantining } from '../../quarantine/quarantine-store.ts';
import { receiveProviderBOperation } from './operation.ts';

export const handler = endpoint(receiveProviderBOperation, ({ sent }) => ingestMessage(providerB.name, sent), {
  authenticate: requireSignature(providerB.secret),
  onRefusal: quarantining(providerB.name),
});
