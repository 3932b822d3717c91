import Stripe from 'stripe';
import type { OperationKind, ProcessorResult } from '../ports/processor.ts';
import { exchange, exchangeMilliseconds, sortFailure } from '../ports/processor-exchange-client.ts';
import { outcomeOfFailure } from './stripe-codes.ts';

/** `base_url`: of a stand-in on this machine. */
export type StripeCredentials = { secret_key: string; webhook_secret: string; base_url?: string | undefined };

/** `timeout`: milliseconds that an answer is waited for. */
export const stripePackage = (
  { secret_key, base_url }: Pick<StripeCredentials, 'secret_key' | 'base_url'>,
  timeout = exchangeMilliseconds,
): Stripe => {
  const base = base_url === undefined ? undefined : new URL(base_url);
  return new Stripe(secret_key, {
    httpClient: Stripe.createFetchHttpClient(exchange),
    maxNetworkRetries: 0,
    timeout,
    telemetry: false,
    ...(base && {
      host: base.hostname,
      port: base.port,
      protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
  });
};

/** Never rethrow these: the package's errors contain Stripe's answer, whose messages may repeat what was sent. */
export const outcomeOfStripeError = (error: unknown, kind: OperationKind): ProcessorResult => {
  if (error instanceof Stripe.errors.StripeConnectionError) {
    if (sortFailure(error.detail) === 'lost') return { outcome: 'UNKNOWN', detail: 'stripe did not answer' };
    return { outcome: 'EXC', code: 'processor_unavailable', reference: null, detail: 'stripe: no connection' };
  }
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { statusCode: status, rawType: type, code, decline_code: declineCode, param, requestId } = error;
  const { payment_intent: intent } = error;
  return outcomeOfFailure({ status, type, code, declineCode, param, requestId, intent }, kind);
};
