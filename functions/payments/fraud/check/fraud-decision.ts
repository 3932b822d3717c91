/** The decisions of an assessment, from the mildest to the strictest. */
export const decisions = ['ACCEPT', 'REVIEW', '3DS', 'REJECT'] as const;
export type FraudDecision = (typeof decisions)[number];

/** The strictest of several; ACCEPT if there are none. */
export const strictest = (some: readonly FraudDecision[]): FraudDecision =>
  decisions.findLast((decision) => some.includes(decision)) ?? 'ACCEPT';

/** The lowest score at which each decision is due; null: at none. */
export type Thresholds = { review: number | null; three_ds: number | null; reject: number | null };

/** The decision that is due at a score. */
export const decisionAt = (score: number, { review, three_ds, reject }: Thresholds): FraudDecision => {
  const isReached = (threshold: number | null) => threshold !== null && score >= threshold;
  return strictest([
    ...(isReached(review) ? (['REVIEW'] as const) : []),
    ...(isReached(three_ds) ? (['3DS'] as const) : []),
    ...(isReached(reject) ? (['REJECT'] as const) : []),
  ]);
};
