import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { quarantining } from '../quarantine/quarantine-store.ts';
import { takeMessage } from '../quarantine/resubmit-store.ts';
import { receiveProviderB } from './operation.ts';

export const handler = endpoint(receiveProviderB, ({ sent }) => takeMessage('provider_b', sent), {
  authenticate: signedWith('provider-b'),
  onRefusal: quarantining('provider_b'),
});
