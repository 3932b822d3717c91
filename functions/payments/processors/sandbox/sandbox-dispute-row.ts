import * as v from 'valibot';
import { numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import { changedRow, type Item, type Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { SandboxDispute } from './sandbox-dispute.ts';
import { sandboxDisputeDue } from './sandbox-dispute-due.ts';

const DisputeRow = defineRow<SandboxDispute>({
  entity: 'SANDBOX_DISPUTE',
  attribute: 'dispute',
  schema: v.looseObject({
    ...texts('id', 'reference', 'minor', 'currency', 'dueAt', 'state'),
    ...numbers('txid', 'alertId', 'sid', 'version'),
    acceptedAt: v.nullable(v.string()),
  }),
});

const toItem = (dispute: SandboxDispute): Item => ({
  ...keys.sandboxDispute(dispute.id),
  ...DisputeRow.stamp,
  id: dispute.id,
  ...(dispute.state === 'expected' && {
    ...sandboxDisputeDue.keys(dispute.dueAt, dispute.id),
    dueAt: dispute.dueAt,
  }),
  dispute,
});

/** Reads one back. */
export const fromSandboxDisputeItem = DisputeRow.find;

/** `dueAt` is an attribute of its own for readers of the stream. The same alert and payment make the same row. */
export const expectedDisputeWrite = (dispute: SandboxDispute): Write => ({ Put: { Item: toItem(dispute) } });

/** The part that changes it. Its condition fails if it is not as it was read. */
export const changedDisputeWrite = (dispute: SandboxDispute): Write =>
  changedRow(toItem(dispute), dispute.version - 1, 'dispute');
