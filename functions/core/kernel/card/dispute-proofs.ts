import type { Claim } from './scheme-reasons.ts';

/**
 * The proofs that win disputes by what the cardholder claims: those that decide most of them, and those that support these. Checklists and
 * rules use this one table. Source: docs.stripe.com/disputes/reason-codes-defense-requirements (2026-11-28); the weights are assumed.
 */

export const proofNames = [
  'authenticated',
  'earlier_purchases',
  'identity',
  'delivered',
  'used',
  'goods',
  'refunded',
  'receipt',
  'conversation',
  'signature',
  'refund_policy',
  'cancellation_policy',
  'separate_charges',
] as const;
export type ProofName = (typeof proofNames)[number];

/** The kind of file that proves it as well; absent: only the facts can. */
export const fileKindOfProof = {
  delivered: 'shipping',
  used: 'service',
  goods: 'service',
  refunded: 'other',
  receipt: 'receipt',
  conversation: 'customer_communication',
  signature: 'signature',
  refund_policy: 'refund_policy',
  cancellation_policy: 'cancellation_policy',
  separate_charges: 'duplicate',
} as const satisfies Partial<Readonly<Record<ProofName, string>>>;

type Proofs = { decides: readonly ProofName[]; supports: readonly ProofName[] };

export const proofsOfClaim: Readonly<Record<Claim, Proofs>> = {
  fraud: {
    decides: ['authenticated', 'earlier_purchases'],
    supports: ['identity', 'delivered', 'used', 'receipt', 'conversation'],
  },
  not_received: { decides: ['delivered'], supports: ['signature', 'used', 'receipt', 'conversation'] },
  not_as_described: { decides: ['goods', 'conversation'], supports: ['delivered', 'refund_policy', 'receipt'] },
  cancelled: { decides: ['cancellation_policy'], supports: ['used', 'conversation', 'receipt'] },
  no_credit: { decides: ['refunded', 'refund_policy'], supports: ['conversation', 'receipt'] },
  twice: { decides: ['separate_charges'], supports: ['receipt', 'delivered', 'conversation'] },
  other: { decides: ['delivered'], supports: ['goods', 'receipt', 'conversation', 'refund_policy'] },
};

type Amount = { amount: string; currency: string };
type Refunded = { refunded: string; currency: string };

/** Checks whether a fact alone decides what a file of its kind would: every order lists items, and a link does not show what was agreed to. */
export const isFactDecisive = (name: ProofName, disputed: Amount, payment: Refunded | null): boolean => {
  if (name === 'refunded')
    return payment?.currency === disputed.currency && Number(payment.refunded) >= Number(disputed.amount);
  return name !== 'goods' && name !== 'refund_policy';
};
