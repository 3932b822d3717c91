import { endpoint } from '../../core/http.ts';
import { signedWith } from '../intake-signature-store.ts';
import { takeNotice } from '../intake-store.ts';
import { receiveProviderB } from '../operations.ts';
import { noticeOfProviderB } from '../provider-b.ts';
import { withdrawCase } from '../withdrawal-store.ts';

export const handler = endpoint(
  receiveProviderB,
  ({ body }) =>
    body.status === 'REVOKED' ? withdrawCase('provider_b', body.caseId) : takeNotice(noticeOfProviderB(body)),
  { authenticate: signedWith('provider-b') },
);
