import type { Scheme } from '#core/kernel/card/schemes.ts';
import type { TransStatus } from './authentication-result.ts';

/**
 * True if the liability for fraud is expected to lie with the issuer. A table, never a promise: the scheme decides.
 * Sources: Visa Secure and Mastercard Identity Check merchant guides as acquirers quote them; ECI values per scheme at
 * https://www.checkout.com/docs/payments/authenticate-payments/3ds/eci-values and
 * https://docs.adyen.com/online-payments/3d-secure/api-reference. Mastercard counts the other way round: 02 authenticated, 01 attempted, 00
 * none, 04 data only, 06 exempt.
 */
const shifting: Readonly<Record<'MASTERCARD' | 'others', Readonly<Partial<Record<TransStatus, string>>>>> = {
  MASTERCARD: { Y: '02', A: '01' },
  others: { Y: '05', A: '06' },
};

/** Merchants whom Visa gives no protection: money transfer, telemarketing, quasi cash, stored value, gambling. */
const visaExcluded = new Set(['4829', '5967', '6051', '6540', '7801', '7802', '7995']);

/** Non-payment authentications, and Mastercard's Identity Check Insights, authenticate no payer for a payment. */
const unprotectedCategories = new Set(['02', '80']);

type Authenticated = {
  scheme: Scheme;
  transStatus: TransStatus | null;
  eci: string | null;
  /** An exemption was requested and granted: its requestor bears the risk. */
  isExempt: boolean;
  mcc: string;
  messageCategory: string;
};

/** The indicator that is expected with a status; undefined if none shifts the liability. */
const shiftingEci = (scheme: Scheme, transStatus: TransStatus | null): string | undefined =>
  transStatus === null ? undefined : shifting[scheme === 'MASTERCARD' ? 'MASTERCARD' : 'others'][transStatus];

export const isLiabilityShifted = ({
  scheme,
  transStatus,
  eci,
  isExempt,
  mcc,
  messageCategory,
}: Authenticated): boolean => {
  if (isExempt || unprotectedCategories.has(messageCategory)) return false;
  if (scheme === 'VISA' && visaExcluded.has(mcc)) return false;
  const expected = shiftingEci(scheme, transStatus);
  return expected !== undefined && eci === expected;
};
