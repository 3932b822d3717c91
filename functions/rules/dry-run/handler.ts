import { nowIso } from '../../core/clock.ts';
import { endpoint } from '../../core/http.ts';
import { dryRunOf } from '../dry-run-store.ts';
import { findTransactions } from '../payment-search-flow.ts';
import { ownerFor } from '../rule-store.ts';
import { dryRun } from './operation.ts';

export const handler = endpoint(dryRun, async ({ body: { sid, mid, ...wanted }, caller }) => {
  const owner = await ownerFor({ sid, mid }, caller);
  return dryRunOf(owner, wanted, nowIso(), findTransactions);
});
