import { nowIso } from '#core/kernel/clock.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { requireNew } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact, tryTransact } from '#core/platform/table/table.ts';
import type { DisputePort } from '../ports/dispute.ts';
import { disputeOfSandbox, type SandboxDispute } from './sandbox-dispute.ts';
import { changedDisputeWrite, expectedDisputeWrite, fromSandboxDisputeItem } from './sandbox-dispute-row.ts';

const readSandboxDispute = async (reference: string): Promise<SandboxDispute | undefined> =>
  fromSandboxDisputeItem(await getItem(keys.sandboxDispute(reference)));

/** Disputes of the sandbox, in the table. `sid`: the site that they belong to. */
export const sandboxDisputes = (sid: number): DisputePort => ({
  look: async (reference) => {
    const dispute = await readSandboxDispute(reference);
    return { found: (dispute?.sid === sid && disputeOfSandbox(dispute)) || null };
  },
  accept: async (reference) => {
    await retryOnConflict(async () => {
      const dispute = await readSandboxDispute(reference);
      if (dispute?.sid !== sid || dispute.acceptedAt !== null) return;
      await transact({
        dispute: changedDisputeWrite({ ...dispute, acceptedAt: nowIso(), version: dispute.version + 1 }),
      });
    });
    return 'done';
  },
});

/** Decides a dispute whose time has come; returns its new state. */
export const decideSandboxDispute = async (
  id: string,
  decide: (dispute: SandboxDispute) => Promise<SandboxDispute>,
): Promise<SandboxDispute | undefined> =>
  retryOnConflict(async () => {
    const dispute = await readSandboxDispute(id);
    if (dispute?.state !== 'expected' || dispute.dueAt > nowIso()) return dispute;
    const after = await decide(dispute);
    await transact({ dispute: changedDisputeWrite(after) });
    return after;
  });

/** Expects a chargeback; one that is known already stays as it is. */
export const expectDispute = async (dispute: SandboxDispute): Promise<void> => {
  const { Put } = expectedDisputeWrite(dispute);
  if (!Put) return;
  await tryTransact({ dispute: { Put: { ...Put, ...requireNew } } });
};
