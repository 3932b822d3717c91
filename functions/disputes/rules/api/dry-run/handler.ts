import { nowIso } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { findPaymentsOfAlert } from '../../decide/payment-search-flow.ts';
import { runDry } from '../../dry-run/dry-run-store.ts';
import { ownerFor } from '../../rule-store.ts';
import { dryRunOperation } from './operation.ts';

export const handler = endpoint(dryRunOperation, async ({ body: { sid, mid, about, ...wanted }, caller }) => {
  const owner = await ownerFor({ sid, mid, about }, caller);
  return runDry(owner, wanted, nowIso(), findPaymentsOfAlert);
});
