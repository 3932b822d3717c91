import { type Card, cardFingerprintsOf } from '#core/kernel/card/card.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { PaymentRequest } from '#payments/payments/order/payment-request.ts';
import type { ThreeDsResult } from '#payments/payments/three-ds.ts';
import type { Authentication } from '#payments/threeds/authentication/authentication.ts';
import { isAuthenticationFailed, mismatchOf, resultForPayment } from '#payments/threeds/authentication/payment-use.ts';
import type { AuthenticationMade } from '../transaction/transaction.ts';

/** An authentication made here with the value that proves it, as long as that is kept. */
export type ProvenAuthentication = { authentication: Authentication; value: string | null };

/** The payer's authentication as a payment knows it. */
export type PayerAuthentication = {
  /** The result that the processor receives. */
  result: ThreeDsResult | null;
  /** The processor is not asked: the payer is not the cardholder, or stopped. */
  isFailed: boolean;
  /** The part that the transaction keeps. */
  made: AuthenticationMade | undefined;
};

type Around = { mid: number; card: Card | null; ring: KeyRing; at: string };

/**
 * Reads the authentication that an order names, or the merchant's data about one. Another merchant's is treated as missing. Throws
 * authentication_not_found, authentication_mismatch.
 */
export const payerAuthenticationOf = (
  { authenticationId, threeDs, money }: Pick<PaymentRequest, 'authenticationId' | 'threeDs' | 'money'>,
  proven: ProvenAuthentication | undefined,
  { mid, card, ring, at }: Around,
): PayerAuthentication => {
  if (authenticationId === null) return ofMerchant(threeDs);
  if (proven?.authentication.mid !== mid) {
    throw new Refusal('authentication_not_found', 'threeDSecure: you have no such authentication.');
  }
  const cardTokens = card?.reveal(({ number }) => cardFingerprintsOf(ring, number)) ?? [];
  const mismatch = mismatchOf(proven.authentication, { money, cardTokens, at });
  if (mismatch !== undefined) throw new Refusal('authentication_mismatch', mismatch);
  return ofOurs(proven);
};

const ofMerchant = (result: ThreeDsResult | null): PayerAuthentication => ({
  result,
  isFailed: false,
  made: result ? { source: 'merchant', transStatus: result.transStatus, eci: result.eci, own: null } : undefined,
});

const ofOurs = ({ authentication, value }: ProvenAuthentication): PayerAuthentication => {
  const { id, outcome, result } = authentication;
  const own = { id, outcome: outcome ?? 'unavailable', liabilityShift: result?.liabilityShift ?? false };
  return {
    result: resultForPayment(authentication, value),
    isFailed: isAuthenticationFailed(authentication),
    made: { source: 'verified', transStatus: result?.transStatus ?? null, eci: result?.eci ?? null, own },
  };
};
