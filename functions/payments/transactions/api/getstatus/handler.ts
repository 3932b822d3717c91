import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { siteProofOf } from '#payments/payments/order/site-proof.ts';
import { statusResult } from '../../transaction/status.ts';
import { statusByProof } from '../../transaction/status-store.ts';
import { getStatusOperation } from './operation.ts';

export const handler = endpoint(getStatusOperation, async ({ params: { id, hash }, ...call }) =>
  statusResult(await statusByProof(id, siteProofOf(call, hash, nowMilliseconds()))),
);
