import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { takeNotice } from '../intake/intake-store.ts';
import { noticeOfProviderA } from '../intake/provider-a.ts';
import { receiveProviderA } from './operation.ts';

export const handler = endpoint(receiveProviderA, ({ body }) => takeNotice(noticeOfProviderA(body)), {
  authenticate: signedWith('provider-a'),
});
