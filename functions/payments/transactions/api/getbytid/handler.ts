import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { siteProofOf } from '#payments/payments/order/site-proof.ts';
import { statusResult } from '../../transaction/status.ts';
import { statusByTid } from '../../transaction/status-store.ts';
import { getByTidOperation } from './operation.ts';

export const handler = endpoint(getByTidOperation, async ({ params: { id: sid, tid, hash }, ...call }) =>
  statusResult(await statusByTid({ sid, tid, proof: siteProofOf(call, hash, nowMilliseconds()) })),
);
