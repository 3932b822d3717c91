import * as v from 'valibot';
import { joinReason } from '#core/kernel/card/scheme-reasons.ts';
import { exponentOf } from '#core/kernel/money/money.ts';
import { type DisputeStage, type DisputeStatus, type ProcessorDispute, unmappedStanding } from '../ports/dispute.ts';
import { toIsoTime } from '../ports/outside-data.ts';
import { moneyOfCheckoutCom } from './checkout-com-charges.ts';

/** https://www.checkout.com/docs/business-operations/manage-disputes/how-disputes-work.md and https://api-reference.checkout.com/#tag/Disputes */

const text = v.nullish(v.string(), '');

/** A dispute as the list has it, or its details, which name the payment in another way. */
const Dispute = v.object({
  id: v.string(),
  status: v.string(),
  resolved_reason: text,
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

/** A dispute that was not answered in time is lost. One that was resolved had been refunded before, but see `statusOf`. */
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

/** Reasons for which a dispute is resolved at no cost: https://github.com/checkout/checkout-sdk-java, DisputeResolvedReason (2026-08-19). */
const resolvedAtNoCost = ['already_refunded', 'negative_amount'];

/**
 * `rapid_dispute_resolution`: Visa's rules refunded the cardholder. Assumed of other reasons, and of none: the same, since a second refund
 * would cost money. https://www.checkout.com/docs/payments/process-disputes/pre-dispute-resolution (2026-11-28)
 */
const toStatus = ({ status, resolved_reason: reason }: v.InferOutput<typeof Dispute>): DisputeStatus | undefined =>
  status === 'resolved' && !resolvedAtNoCost.includes(reason ?? '') ? 'refunded_by_network' : statuses[status];

/** Undefined if it cannot be read. The amount is debited when a dispute is received. */
export const disputeOfCheckoutCom = (body: unknown): ProcessorDispute | undefined => {
  const { success, output } = v.safeParse(Dispute, body);
  const openedAt = success ? toIsoTime(output.received_on) : undefined;
  if (!success || openedAt === undefined || exponentOf(output.currency) === undefined) return undefined;
  const status = toStatus(output);
  const stage: DisputeStage = output.status.startsWith('arb') ? 'arbitration' : 'chargeback';
  return {
    reference: output.id,
    payments: [output.payment_id || (output.payment?.id ?? '')].filter(Boolean),
    ...(status ? { stage, status, isTaken: status !== 'won' } : unmappedStanding(output.status)),
    money: moneyOfCheckoutCom(output.amount, output.currency),
    reasonCode: joinReason(output.reason_code ?? '', output.category ?? ''),
    network: (output.payment_method || (output.payment?.method ?? '')).toLowerCase(),
    dueBy: toIsoTime(output.evidence_required_by) ?? null,
    openedAt,
  };
};

const Listed = v.object({
  data: v.nullish(v.array(v.looseObject({ id: text, status: text, resolved_reason: text })), []),
});

/** The disputes of a page of the list; undefined if it is no such page. `isShort`: why it was resolved is only in its details. */
export const listedByCheckoutCom = (
  body: unknown,
): readonly { reference: string; isShort: boolean; item: unknown }[] | undefined => {
  const { success, output } = v.safeParse(Listed, body);
  if (!success) return undefined;
  return (output.data ?? []).map((item) => ({
    ...{ reference: item.id ?? '', isShort: item.status === 'resolved' && !item.resolved_reason, item },
  }));
};
