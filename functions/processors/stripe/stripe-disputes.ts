import { iso } from '../../core/clock.ts';
import { fromProcessorAmount } from '../amounts.ts';
import type { DisputeStatus, ProcessorDispute } from '../dispute.ts';
import { stripeCurrency } from './stripe-currencies.ts';

/** What of Stripe's dispute is read. https://docs.stripe.com/api/disputes/object */
export type StripeDispute = {
  id: string;
  amount: number;
  currency: string;
  status: string;
  reason: string;
  created: number;
  charge: string | { id: string };
  payment_intent: string | { id: string } | null;
  evidence_details: { due_by: number | null };
  payment_method_details?: { card?: { brand?: string; network_reason_code?: string | null } } | undefined;
};

const statuses: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'open',
  needs_response: 'open',
  warning_under_review: 'under_review',
  under_review: 'under_review',
  // An inquiry that was closed, or prevented, came to nothing.
  warning_closed: 'won',
  prevented: 'won',
  won: 'won',
  lost: 'lost',
};

const idOf = (named: string | { id: string } | null): string[] =>
  named === null ? [] : [typeof named === 'string' ? named : named.id];

const seconds = (time: number): string => iso(time * 1000);

/** Undefined for a status that nobody has told us of. While an inquiry lasts, Stripe takes nothing. */
export const disputeOfStripe = (dispute: StripeDispute): ProcessorDispute | undefined => {
  const status = statuses[dispute.status];
  if (!status) return undefined;
  const currency = dispute.currency.toUpperCase();
  const exponent = stripeCurrency(currency)?.exponent ?? 2;
  const isInquiry = dispute.status.startsWith('warning_');
  const card = dispute.payment_method_details?.card;
  const due = dispute.evidence_details.due_by;
  return {
    reference: dispute.id,
    payments: [...idOf(dispute.payment_intent), ...idOf(dispute.charge)],
    stage: isInquiry ? 'inquiry' : 'chargeback',
    status,
    isTaken: !isInquiry && status !== 'won',
    money: { minor: fromProcessorAmount(dispute.amount, currency, exponent), currency },
    reasonCode: card?.network_reason_code ?? dispute.reason,
    network: card?.brand ?? '',
    dueBy: due === null ? null : seconds(due),
    openedAt: seconds(dispute.created),
  };
};
