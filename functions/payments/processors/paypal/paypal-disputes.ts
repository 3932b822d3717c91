import * as v from 'valibot';
import { joinReason } from '#core/kernel/card/scheme-reasons.ts';
import { type Money, parseAmount, withoutZeroFraction } from '#core/kernel/money/money.ts';
import {
  cameToNothing,
  type DisputeStage,
  type DisputeStatus,
  type ProcessorDispute,
  unmappedStanding,
} from '../ports/dispute.ts';
import { toIsoTime } from '../ports/outside-data.ts';

/** https://developer.paypal.com/docs/api/customer-disputes/v1/ */

const text = v.nullish(v.string(), '');

const Dispute = v.object({
  dispute_id: v.string(),
  create_time: v.string(),
  reason: text,
  status: v.string(),
  dispute_life_cycle_stage: v.string(),
  dispute_amount: v.object({ currency_code: v.string(), value: v.string() }),
  external_reason_code: text,
  seller_response_due_date: text,
  dispute_outcome: v.nullish(v.object({ outcome_code: text })),
  disputed_transactions: v.nullish(v.array(v.object({ seller_transaction_id: text })), []),
});

const Listed = v.object({
  items: v.nullish(v.array(v.looseObject({ dispute_id: v.string(), status: text })), []),
});

const stages: Readonly<Record<string, DisputeStage>> = {
  INQUIRY: 'inquiry',
  CHARGEBACK: 'chargeback',
  PRE_ARBITRATION: 'arbitration',
  ARBITRATION: 'arbitration',
};

const open: Readonly<Record<string, DisputeStatus>> = {
  OPEN: 'open',
  WAITING_FOR_SELLER_RESPONSE: 'open',
  WAITING_FOR_BUYER_RESPONSE: 'under_review',
  UNDER_REVIEW: 'under_review',
};

/** With a payout, PayPal pays the buyer, and the merchant keeps the money. */
const outcomes: Readonly<Record<string, DisputeStatus>> = {
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
};

const toMoney = ({ currency_code: currency, value }: { currency_code: string; value: string }): Money | undefined => {
  const money = parseAmount(withoutZeroFraction(value, currency), currency);
  return typeof money === 'string' ? undefined : money;
};

/**
 * A dispute that is RESOLVED with the outcome NONE was closed without a decision, as when another was opened about its payment. The status
 * OTHER has no meaning that PayPal documents. https://developer.paypal.com/docs/api/customer-disputes/v1/ (1.10, 2024-02-03)
 */
const payPalStanding = (dispute: v.InferOutput<typeof Dispute>) => {
  const stage = stages[dispute.dispute_life_cycle_stage];
  if (!stage) return unmappedStanding(dispute.dispute_life_cycle_stage);
  const outcome = dispute.dispute_outcome?.outcome_code ?? '';
  const isResolved = dispute.status === 'RESOLVED';
  if (isResolved && outcome === 'NONE') return cameToNothing;
  const status = isResolved ? outcomes[outcome] : open[dispute.status];
  if (!status) return unmappedStanding(isResolved ? `RESOLVED ${outcome}`.trim() : dispute.status);
  // During an inquiry PayPal takes nothing, unless the buyer wins it.
  return { stage, status, isTaken: status === 'lost' || (stage !== 'inquiry' && status !== 'won') };
};

/** A dispute by its details; undefined if it cannot be read. */
export const disputeOfPayPal = (body: unknown): ProcessorDispute | undefined => {
  const { success, output } = v.safeParse(Dispute, body);
  if (!success) return undefined;
  const [money, openedAt] = [toMoney(output.dispute_amount), toIsoTime(output.create_time)];
  if (!money || openedAt === undefined) return undefined;
  const payments = (output.disputed_transactions ?? []).map(({ seller_transaction_id: id }) => id).filter(Boolean);
  return {
    ...{ reference: output.dispute_id, payments, money, openedAt },
    ...payPalStanding(output),
    reasonCode: joinReason(output.external_reason_code ?? '', output.reason ?? ''),
    network: '',
    dueBy: toIsoTime(output.seller_response_due_date) ?? null,
  };
};

/** The disputes of a page of the list; undefined if it is no such page. */
export const listedDisputes = (
  body: unknown,
): readonly { reference: string; isResolved: boolean; item: unknown }[] | undefined => {
  const { success, output } = v.safeParse(Listed, body);
  if (!success) return undefined;
  return (output.items ?? []).map((item) => ({
    ...{ reference: item.dispute_id, isResolved: item.status === 'RESOLVED', item },
  }));
};
