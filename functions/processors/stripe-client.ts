import type { StripeCredentials } from './credentials.ts';
import type { Processor } from './processor.ts';

export const stripeProcessor = (_credentials: StripeCredentials): Processor => {
  throw new Error('There is no adapter for Stripe yet');
};
