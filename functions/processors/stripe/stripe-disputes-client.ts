import type Stripe from 'stripe';
import type { DisputeAnswer, DisputeDone, DisputePort } from '../dispute.ts';
import { disputeOfStripe } from './stripe-disputes.ts';
import { outcomeOfStripeError, type StripeCredentials, stripePackage } from './stripe-package-client.ts';

/** What Stripe said instead, in words without anything that was sent. */
const refusalOf = (error: unknown): { isCertain: boolean; words: string } => {
  const outcome = outcomeOfStripeError(error, 'refund');
  const words = 'detail' in outcome && outcome.detail ? outcome.detail : 'stripe refused it';
  return { isCertain: outcome.outcome === 'EXC' && outcome.code !== 'processor_unavailable', words };
};

const isAbsent = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'statusCode' in error && error.statusCode === 404;

/** Disputes of one account. */
export const stripeDisputes = (credentials: StripeCredentials): DisputePort => {
  const stripe = stripePackage(credentials);
  return {
    look: (reference) => look(stripe, reference),
    accept: (reference, idempotencyKey) => done(() => stripe.disputes.close(reference, {}, { idempotencyKey })),
  };
};

const look = async (stripe: Stripe, reference: string): Promise<DisputeAnswer> => {
  try {
    const dispute = disputeOfStripe(await stripe.disputes.retrieve(reference));
    return dispute ? { found: dispute } : { unknown: 'stripe names a status that is not known' };
  } catch (error) {
    return isAbsent(error) ? { found: null } : { unknown: refusalOf(error).words };
  }
};

const done = async (ask: () => Promise<unknown>): Promise<DisputeDone> => {
  try {
    await ask();
    return 'done';
  } catch (error) {
    const { isCertain, words } = refusalOf(error);
    return isCertain ? { refused: words } : { unknown: words };
  }
};
