import * as v from 'valibot';
import { iso } from '#core/kernel/clock.ts';
import { fromProcessorAmount } from '../amounts.ts';
import type { DisputeStatus, FraudWarning, ProcessorDispute } from '../ports/dispute.ts';
import { stripeCurrency } from './stripe-currencies.ts';

/** The fields of Stripe's dispute that are read. https://docs.stripe.com/api/disputes/object */
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

/** Undefined for an unknown status. During an inquiry Stripe takes no money. */
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

/** The fields of an early fraud warning that are read, its charge included. https://docs.stripe.com/api/radar/early_fraud_warnings/object */
const Warning = v.object({
  id: v.string(),
  created: v.number(),
  fraud_type: v.string(),
  payment_intent: v.nullish(v.string()),
  charge: v.object({
    id: v.string(),
    amount: v.number(),
    currency: v.string(),
    created: v.number(),
    calculated_statement_descriptor: v.nullish(v.string()),
    payment_method_details: v.nullish(
      v.object({
        card: v.nullish(
          v.object({
            last4: v.nullish(v.string()),
            iin: v.nullish(v.string()),
            issuer: v.nullish(v.string()),
            authorization_code: v.nullish(v.string()),
          }),
        ),
      }),
    ),
  }),
});

/** Undefined if it is not a warning with its charge. */
export const warningOfStripe = (told: unknown): FraudWarning | undefined => {
  const read = v.safeParse(Warning, told);
  if (!read.success) return undefined;
  const { id, created, fraud_type: reason, payment_intent: intent, charge } = read.output;
  const card = charge.payment_method_details?.card;
  const currency = charge.currency.toUpperCase();
  const exponent = stripeCurrency(currency)?.exponent ?? 2;
  return {
    reference: id,
    payments: [...(intent ? [intent] : []), charge.id],
    charge: charge.id,
    money: { minor: fromProcessorAmount(charge.amount, currency, exponent), currency },
    chargedAt: seconds(charge.created),
    first6: card?.iin?.slice(0, 6) ?? '',
    last4: card?.last4 ?? '',
    authCode: card?.authorization_code ?? '',
    descriptor: charge.calculated_statement_descriptor ?? '',
    issuer: card?.issuer ?? '',
    reason,
    warnedAt: seconds(created),
  };
};
