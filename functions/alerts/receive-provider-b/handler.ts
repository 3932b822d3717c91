import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { ingestAlert } from '../intake/intake-store.ts';
import { providerBToAlert } from '../intake/provider-b.ts';
import { withdrawCase } from '../intake/withdrawal-store.ts';
import { receiveProviderB } from './operation.ts';

export const handler = endpoint(
  receiveProviderB,
  ({ body }) =>
    body.status === 'REVOKED' ? withdrawCase('provider_b', body.caseId) : ingestAlert(providerBToAlert(body)),
  { authenticate: signedWith('provider-b') },
);
