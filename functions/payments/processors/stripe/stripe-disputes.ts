import * as v from 'valibot';
import { joinReason } from '#core/kernel/card/scheme-reasons.ts';
import { iso } from '#core/kernel/clock.ts';
import { fromProcessorAmount } from '../amounts.ts';
import {
  cameToNothing,
  type DisputeStage,
  type DisputeStatus,
  type FraudWarning,
  type ProcessorDispute,
  unmappedStanding,
} from '../ports/dispute.ts';
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
  enhanced_eligibility_types?: readonly string[];
  payment_method_details?:
    | { card?: { brand?: string; network_reason_code?: string | null; case_type?: string } }
    | undefined;
};

type Standing = Pick<ProcessorDispute, 'stage' | 'status' | 'isTaken' | 'unmapped'>;
const inquiry = (status: 'open' | 'under_review'): Standing => ({ stage: 'inquiry', status, isTaken: false });
const takenWith = (status: DisputeStatus, stage: DisputeStage = 'chargeback'): Standing => ({
  stage,
  status,
  isTaken: true,
});

/**
 * https://docs.stripe.com/api/disputes/object#dispute_object-status (API 2026-10-28.endive). During an inquiry Stripe takes no money, and
 * one that was closed came to nothing. An appeal follows a dispute that was lost.
 */
const standings: Readonly<Record<string, Standing>> = {
  warning_needs_response: inquiry('open'),
  warning_under_review: inquiry('under_review'),
  warning_closed: cameToNothing,
  needs_response: takenWith('open'),
  under_review: takenWith('under_review'),
  appeal_needs_response: takenWith('open', 'arbitration'),
  appeal_under_review: takenWith('under_review', 'arbitration'),
  won: { stage: 'chargeback', status: 'won', isTaken: false },
  lost: takenWith('lost'),
  prevented: takenWith('refunded_by_network'),
};

/**
 * A block costs nothing (Compelling Evidence 3.0 stopped the dispute); a resolution refunded the cardholder. Assumed of other types: the
 * same as a resolution, since a second refund would cost money. https://docs.stripe.com/disputes/prevention-preview (2026-11-28)
 */
const stripeStanding = ({ status, payment_method_details: details }: StripeDispute): Standing =>
  status === 'prevented' && details?.card?.case_type === 'block'
    ? cameToNothing
    : (standings[status] ?? unmappedStanding(status));

/**
 * To contest a compliance dispute costs 500 USD, which Stripe collects unless it is won; the payer of that must agree to it.
 * https://docs.stripe.com/disputes/api/visa-compliance, and Disputes.d.ts of npm stripe 23.1.0 (2026-11-28)
 */
export const needsFee = ({
  enhanced_eligibility_types: types,
  reason,
}: Pick<StripeDispute, 'enhanced_eligibility_types' | 'reason'>): boolean =>
  reason === 'noncompliant' ||
  (types ?? []).some((type) => type === 'visa_compliance' || type === 'mastercard_compliance');
const complianceFee = { minor: 500_00n, currency: 'USD' } as const;

const idList = (named: string | { id: string } | null): string[] =>
  named === null ? [] : [typeof named === 'string' ? named : named.id];

const seconds = (time: number): string => iso(time * 1000);

export const disputeOfStripe = (dispute: StripeDispute): ProcessorDispute => {
  const currency = dispute.currency.toUpperCase();
  const card = dispute.payment_method_details?.card;
  const due = dispute.evidence_details.due_by;
  return {
    reference: dispute.id,
    payments: [...idList(dispute.payment_intent), ...idList(dispute.charge)],
    ...stripeStanding(dispute),
    money: { minor: fromProcessorAmount(dispute.amount, currency, stripeCurrency(currency)), currency },
    reasonCode: joinReason(card?.network_reason_code ?? '', dispute.reason),
    network: card?.brand ?? '',
    dueBy: due === null ? null : seconds(due),
    openedAt: seconds(dispute.created),
    ...(needsFee(dispute) && { contestFee: complianceFee }),
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
  return {
    reference: id,
    payments: [...(intent ? [intent] : []), charge.id],
    charge: charge.id,
    money: { minor: fromProcessorAmount(charge.amount, currency, stripeCurrency(currency)), currency },
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
