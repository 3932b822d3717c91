import type { Scheme } from '#core/kernel/card/schemes.ts';
import type { TransStatus } from './authentication-result.ts';

/**
 * True if the liability for fraud is expected to lie with the issuer. A table, never a promise: the scheme decides.
 * Sources: Visa Secure and Mastercard Identity Check merchant guides as acquirers quote them; ECI values per scheme at
 * https://www.checkout.com/docs/payments/authenticate-payments/3ds/eci-values and
 * https://docs.adyen.com/online-payments/3d-secure/api-reference. Mastercard counts the other way round: 02 authenticated, 07 authenticated
 * recurring payment, 01 attempted, 00 none, 04 data only, 06 exempt (checkout.com, 2026-01-14).
 */
const shifting: Readonly<Record<'MASTERCARD' | 'others', Readonly<Partial<Record<TransStatus, readonly string[]>>>>> = {
  MASTERCARD: { Y: ['02', '07'], A: ['01'] },
  others: { Y: ['05'], A: ['06'] },
};

/**
 * Merchants in the United States whom Visa gives no protection: money transfer, telemarketing, quasi cash, stored value, gambling. TabaPay's table of
 * Visa's rules limits this to that country (2026-11-28). A merchant of unknown country counts as one of them.
 */
const visaExcluded = new Set(['4829', '5967', '6051', '6540', '7801', '7802', '7995']);

const unitedStates = '840';

/** Non-payment authentications, and Mastercard's Identity Check Insights, authenticate no payer for a payment. */
const unprotectedCategories = new Set(['02', '80']);

type Authenticated = {
  scheme: Scheme;
  transStatus: TransStatus | null;
  eci: string | null;
  /** An exemption was requested and granted: its requestor bears the risk. */
  isExempt: boolean;
  mcc: string;
  /** The merchant's country, as its number of ISO 3166; empty if unknown. */
  countryNumber: string;
  messageCategory: string;
};

/** The indicators that shift the liability with a status. */
const shiftingEcis = (scheme: Scheme, transStatus: TransStatus | null): readonly string[] =>
  (transStatus && shifting[scheme === 'MASTERCARD' ? 'MASTERCARD' : 'others'][transStatus]) || [];

export const isLiabilityShifted = ({
  scheme,
  transStatus,
  eci,
  isExempt,
  mcc,
  countryNumber,
  messageCategory,
}: Authenticated): boolean => {
  if (isExempt || unprotectedCategories.has(messageCategory)) return false;
  const mayBeAmerican = countryNumber === '' || countryNumber === unitedStates;
  if (scheme === 'VISA' && mayBeAmerican && visaExcluded.has(mcc)) return false;
  return eci !== null && shiftingEcis(scheme, transStatus).includes(eci);
};
