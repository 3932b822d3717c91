/** The result of a 3DS 2 authentication made before the payment, as processors receive it. */
export type ThreeDsResult = {
  /** `verified`: it took place with us, and the values are from our own row. `merchant`: the merchant states them. */
  source: 'merchant' | 'verified';
  version: string;
  /** Electronic commerce indicator. */
  eci: string | null;
  /** Cardholder authentication verification value: proves the authentication to the issuer. Null if there was none to prove. */
  cavv: string | null;
  /** The directory server's transaction identifier. */
  dsTransId: string | null;
  /** The status it ended with; null where the merchant did not say. */
  transStatus: string | null;
  /** The status in the issuer's first answer: C if a challenge followed. */
  aresTransStatus: string | null;
  /** The status that the challenge ended with; null where there was none. */
  challengeTransStatus: string | null;
  transStatusReason: string | null;
  challengeCancel: string | null;
  /** The exemption that was requested and that the issuer granted. */
  exemption: GrantedExemption | null;
  /** True if a challenge was requested of the issuer: EMVCo's `threeDSRequestorChallengeInd`. */
  challengeInd: string | null;
};

/** `tra`: transaction risk analysis; `sca_done`: the merchant authenticated the payer; `trusted`: the payer's list. */
export type GrantedExemption = 'tra' | 'sca_done' | 'trusted';

/** EMVCo's own names first, then those that merchants' providers use for the same values. */
const names = {
  version: ['messageVersion', 'threeDSVersion', 'three_ds_version', 'version'],
  eci: ['eci', 'electronic_commerce_indicator'],
  cavv: ['authenticationValue', 'cavv', 'authentication_value', 'cryptogram'],
  dsTransId: ['dsTransID', 'dsTransId', 'ds_trans_id', 'ds_transaction_id', 'transaction_id'],
  transStatus: ['transStatus', 'trans_status'],
  aresTransStatus: ['aresTransStatus', 'ares_trans_status', 'directoryResponse'],
  challengeTransStatus: ['challengeTransStatus', 'authenticationResponse'],
  transStatusReason: ['transStatusReason', 'trans_status_reason'],
  challengeCancel: ['challengeCancel', 'challenge_cancel'],
  challengeInd: ['threeDSRequestorChallengeInd', 'requestor_challenge_indicator'],
} as const;

type Sent = Readonly<Record<string, unknown>>;

const textAt = (record: Sent, keys: readonly string[]): string | null => {
  const found = keys.map((key) => record[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
};

/** The statuses of a merchant's result: the final one, and those of the ARes and of the challenge if they are sent separately. */
const statusesOf = (record: Sent) => {
  const ares = textAt(record, names.aresTransStatus);
  const challenge = ares === 'C' ? textAt(record, names.challengeTransStatus) : null;
  const final = textAt(record, names.transStatus) ?? challenge;
  const isChallenged = ares === 'C' || final === 'C';
  return {
    transStatus: final === 'C' ? (challenge ?? 'C') : final,
    aresTransStatus: isChallenged ? 'C' : (ares ?? final),
    challengeTransStatus: isChallenged ? (challenge ?? (final === 'C' ? null : final)) : null,
  };
};

/**
 * The result that a merchant sent with a payment. Null unless it has what an issuer needs: an incomplete result would be declined, or
 * lose the liability shift. If nothing is said about a challenge, there was none.
 */
export const readMerchantResult = (record: Sent | null): ThreeDsResult | null => {
  if (!record) return null;
  const [version, cavv, dsTransId] = [names.version, names.cavv, names.dsTransId].map((keys) => textAt(record, keys));
  if (!version || !cavv || !dsTransId) return null;
  const challengeInd = textAt(record, names.challengeInd);
  return {
    source: 'merchant',
    version,
    cavv,
    dsTransId,
    eci: textAt(record, names.eci),
    ...statusesOf(record),
    transStatusReason: textAt(record, names.transStatusReason),
    challengeCancel: textAt(record, names.challengeCancel),
    exemption: null,
    challengeInd: /^\d\d$/.test(challengeInd ?? '') ? challengeInd : null,
  };
};

/**
 * Returns the authentication made here that a payment names: undefined if it names none, null if the name cannot be one. All other fields
 * are ignored.
 */
export const namedAuthentication = (record: Sent | null): number | null | undefined => {
  if (!record || !Object.hasOwn(record, 'authentication_id')) return undefined;
  const id = record['authentication_id'];
  const isSpelled = typeof id === 'number' || (typeof id === 'string' && /^[1-9]\d{0,15}$/.test(id));
  return isSpelled && Number.isSafeInteger(Number(id)) && Number(id) > 0 ? Number(id) : null;
};

/** A result that can be shown to an issuer: some that only report an exemption have no value. */
export type AuthenticationProof = ThreeDsResult & { cavv: string; dsTransId: string };
export const hasProof = (result: ThreeDsResult | null): result is AuthenticationProof =>
  result !== null && result.cavv !== null && result.dsTransId !== null;

/**
 * Checks whether an issuer would accept it: complete, and authenticated or, if the issuer could not authenticate, attempted. A merchant who
 * gives no status means that it succeeded; in our own results the status is always known.
 */
export const isAuthenticated = (result: ThreeDsResult | null): boolean => {
  if (!hasProof(result)) return false;
  if (result.transStatus === null) return result.source === 'merchant';
  return result.transStatus === 'Y' || result.transStatus === 'A';
};
