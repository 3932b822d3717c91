import { endpoint } from '../../core/http.ts';
import { providerA, providerAToAlert } from '../../providers/provider-a.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { ingestAlert } from '../intake/intake-store.ts';
import { receiveProviderA } from './operation.ts';

export const handler = endpoint(receiveProviderA, ({ body }) => ingestAlert(providerA, providerAToAlert(body)), {
  authenticate: signedWith(providerA.secret),
});
