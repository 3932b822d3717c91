import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake-signature-store.ts';
import { takeNotice } from '../intake-store.ts';
import { receiveProviderA } from '../operations.ts';
import { noticeOfProviderA } from '../provider-a.ts';

export const handler = endpoint(receiveProviderA, ({ body }) => takeNotice(noticeOfProviderA(body)), {
  authenticate: signedWith('provider-a'),
});
