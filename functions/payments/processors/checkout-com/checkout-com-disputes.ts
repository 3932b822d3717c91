import * as v from 'valibot';
import { exponentOf } from '#core/kernel/money/money.ts';
import type { DisputeStatus, ProcessorDispute } from '../ports/dispute.ts';
import { moneyOfCheckoutCom } from './checkout-com-charges.ts';

/** https://www.checkout.com/docs/business-operations/manage-disputes/how-disputes-work.md and https://api-reference.checkout.com/#tag/Disputes */

const text = v.nullish(v.string(), '');

/** A dispute as the list has it, or its details, which name the payment in another way. */
const Dispute = v.object({
  id: v.string(),
  status: v.string(),
  category: text,
  reason_code: text,
  amount: v.pipe(v.number(), v.safeInteger()),
  currency: v.string(),
  received_on: v.string(),
  evidence_required_by: text,
  payment_id: text,
  payment_method: text,
  payment: v.nullish(v.object({ id: text, method: text })),
});

/** A dispute that was not answered in time is lost. One that was resolved had been refunded before. */
const statuses: Readonly<Record<string, DisputeStatus>> = {
  evidence_required: 'open',
  evidence_under_review: 'under_review',
  arb_evidence_submitted: 'under_review',
  arbitration_under_review: 'under_review',
  accepted: 'lost',
  arbitration_lost: 'lost',
  expired: 'lost',
  lost: 'lost',
  arbitration_won: 'won',
  canceled: 'won',
  resolved: 'won',
  won: 'won',
};

const timeOf = (time: string): string | undefined =>
  Number.isNaN(Date.parse(time)) ? undefined : new Date(time).toISOString();

/** Undefined for a status that is not known. The amount is debited when a dispute is received. */
export const disputeOfCheckoutCom = (body: unknown): ProcessorDispute | undefined => {
  const { success, output } = v.safeParse(Dispute, body);
  const status = success ? statuses[output.status] : undefined;
  const openedAt = success ? timeOf(output.received_on) : undefined;
  if (!success || !status || openedAt === undefined || exponentOf(output.currency) === undefined) return undefined;
  return {
    reference: output.id,
    payments: [output.payment_id || (output.payment?.id ?? '')].filter(Boolean),
    stage: output.status.startsWith('arb') ? 'arbitration' : 'chargeback',
    status,
    isTaken: status !== 'won',
    money: moneyOfCheckoutCom(output.amount, output.currency),
    reasonCode: output.reason_code || output.category,
    network: (output.payment_method || (output.payment?.method ?? '')).toLowerCase(),
    dueBy: timeOf(output.evidence_required_by) ?? null,
    openedAt,
  };
};

/** A page of the list; undefined if it is none. */
export const listedByCheckoutCom = (body: unknown): readonly unknown[] | undefined => {
  const { success, output } = v.safeParse(v.object({ data: v.nullish(v.array(v.unknown()), []) }), body);
  return success ? (output.data ?? []) : undefined;
};
