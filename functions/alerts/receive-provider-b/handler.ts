import { endpoint } from '../../core/http.ts';
import { providerB, providerBToAlert } from '../../providers/provider-b.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { ingestAlert } from '../intake/intake-store.ts';
import { withdrawCase } from '../intake/withdrawal-store.ts';
import { receiveProviderB } from './operation.ts';

export const handler = endpoint(
  receiveProviderB,
  ({ body }) =>
    body.status === 'REVOKED'
      ? withdrawCase(providerB.name, body.caseId)
      : ingestAlert(providerB, providerBToAlert(body)),
  { authenticate: signedWith(providerB.secret) },
);
