import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { defineDue, type Row, type RowChange } from '#core/platform/work/due.ts';

/** Make this chargeback in the sandbox, or cancel it. */
export const SandboxDisputeMessage = v.object({ sandboxDispute: v.string() });

const disputeBody = ({ id }: Row) => ({ sandboxDispute: String(id) });

/** A chargeback that the sandbox makes within moments; those at alerts' deadlines are left to the sweep. */
const messagesForDispute = ({ before, after }: RowChange, now: string) => {
  const at = after['dueAt'];
  const isSoon = typeof at === 'string' && Date.parse(at) - Date.parse(now) < milliseconds.minute;
  return before || !isSoon ? [] : [{ body: disputeBody(after), at }];
};

/** The sandbox decides whether it makes a chargeback. */
export const sandboxDisputeDue = defineDue({
  kind: 'SANDBOX_DISPUTE',
  queue: 'chargebacks',
  message: SandboxDisputeMessage,
  swept: disputeBody,
  wakes: { SANDBOX_DISPUTE: { messages: messagesForDispute } },
});
