import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { quarantining } from '../quarantine/quarantine-store.ts';
import { takeMessage } from '../quarantine/resubmit-store.ts';
import { receiveProviderA } from './operation.ts';

export const handler = endpoint(receiveProviderA, ({ sent }) => takeMessage('provider_a', sent), {
  authenticate: signedWith('provider-a'),
  onRefusal: quarantining('provider_a'),
});
