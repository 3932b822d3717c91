import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake/intake-signature-store.ts';
import { takeNotice } from '../intake/intake-store.ts';
import { noticeOfProviderB } from '../intake/provider-b.ts';
import { withdrawCase } from '../intake/withdrawal-store.ts';
import { receiveProviderB } from './operation.ts';

export const handler = endpoint(
  receiveProviderB,
  ({ body }) =>
    body.status === 'REVOKED' ? withdrawCase('provider_b', body.caseId) : takeNotice(noticeOfProviderB(body)),
  { authenticate: signedWith('provider-b') },
);
