import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { ingestAlert } from '../intake/intake-store.ts';
import { providerAToAlert } from '../intake/provider-a.ts';
import { receiveProviderA } from './operation.ts';

export const handler = endpoint(receiveProviderA, ({ body }) => ingestAlert(providerAToAlert(body)), {
  authenticate: signedWith('provider-a'),
});
