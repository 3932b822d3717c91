import type { Scheme } from '#core/kernel/card/schemes.ts';

/** The result of a 3DS 2 authentication made before the payment, as processors receive it. */
export type ThreeDsResult = {
  /** `verified`: it took place with us, and the values are from our own row. `merchant`: the merchant states them. */
  source: 'merchant' | 'verified';
  version: string;
  /** Electronic commerce indicator, two digits. */
  eci: string | null;
  /** Cardholder authentication verification value: proves the authentication to the issuer. Null if there was none to prove. */
  cavv: string | null;
  /** The directory server's transaction identifier. */
  dsTransId: string | null;
  /** The status it ended with; null where our server did not say. */
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
type Field = keyof typeof names;

/** The value of a field under the first of its names that has one. A JSON number counts as its text. */
const valueAt = (record: Sent, field: Field): unknown =>
  names[field].map((key) => record[key]).find((value) => value !== undefined && value !== null && value !== '');

/** How a field is brought into the form that processors require, and what it must then be. */
type Rule = { normalize(text: string): string; pattern: RegExp; words: string };
const asIs = (pattern: RegExp, words: string): Rule => ({ normalize: (text) => text, pattern, words });
const twoDigits = (pattern: RegExp, words: string): Rule => ({
  normalize: (text) => text.padStart(2, '0'),
  pattern,
  words,
});
const status: Rule = {
  normalize: (text) => text.toUpperCase(),
  pattern: /^[ACDINRSUY]$/,
  words: 'must be a status of EMV 3DS, such as Y',
};
const rules: Readonly<Record<Field, Rule>> = {
  version: {
    normalize: (text) => text.replace(/^v/i, '').replace(/^(2\.\d)$/, '$1.0'),
    pattern: /^2\.(?:[12]\.0|3\.[01])$/,
    words: 'must be 2.1.0, 2.2.0, 2.3.0 or 2.3.1',
  },
  eci: twoDigits(/^0[0124567]$/, 'must be 00, 01, 02, 04, 05, 06 or 07'),
  cavv: asIs(/^[\w+/=-]{1,100}$/, 'must be the value that the issuer returned, in base64'),
  dsTransId: asIs(/^[\w-]{1,100}$/, 'must be the identifier of the directory server'),
  transStatus: status,
  aresTransStatus: status,
  challengeTransStatus: status,
  transStatusReason: twoDigits(/^\d\d$/, 'must be two digits'),
  challengeCancel: twoDigits(/^\d\d$/, 'must be two digits'),
  challengeInd: twoDigits(/^\d\d$/, 'must be two digits'),
};

type Read = { values: Readonly<Partial<Record<Field, string>>>; problems: string[] };

const readFields = (record: Sent): Read => {
  const values: Partial<Record<Field, string>> = {};
  const problems: string[] = [];
  for (const field of Object.keys(rules) as Field[]) {
    const sent = valueAt(record, field);
    if (sent === undefined) continue;
    const { normalize, pattern, words } = rules[field];
    const isText = typeof sent === 'string' || typeof sent === 'number';
    const value = isText ? normalize(String(sent).trim()) : '';
    if (pattern.test(value)) values[field] = value;
    else problems.push(`threeDSecure.${names[field].find((key) => record[key] === sent)}: ${words}`);
  }
  return { values, problems };
};

/** Networks give these only for an authentication that succeeded, or was attempted: Mastercard 02 and 01, others 05 and 06. */
const statusByEci: Readonly<Record<string, string>> = { '02': 'Y', '05': 'Y', '01': 'A', '06': 'A' };

/** Mastercard's 06 is an exemption of the acquirer: https://www.checkout.com/docs/payments/authenticate-payments/3ds/eci-values (2026-11-29). */
const statusOfEci = (eci: string, scheme: Scheme | undefined): string | undefined =>
  eci === '06' && (scheme === undefined || scheme === 'MASTERCARD') ? undefined : statusByEci[eci];

/** A challenge, or an authentication apart from the payment, ends with a status of its own; any other ends as the issuer first answered. */
const isInterim = (ares: string): boolean => ares === 'C' || ares === 'D';

/** The statuses of a merchant's result: the final one, and those of the ARes and of the challenge if they are sent separately. */
const readStatuses = (
  { transStatus, aresTransStatus: ares, challengeTransStatus, eci = '' }: Read['values'],
  scheme: Scheme | undefined,
) => {
  const challenge = ares === 'C' || transStatus === 'C' ? challengeTransStatus : undefined;
  const sent = transStatus === 'C' ? undefined : transStatus;
  const final = sent ?? challenge ?? (ares === 'C' ? undefined : ares) ?? statusOfEci(eci, scheme);
  const isChallenged = ares === 'C' || transStatus === 'C';
  const isContradicted = ares !== undefined && !isInterim(ares) && sent !== undefined && sent !== ares;
  return {
    transStatus: final,
    contradicted: isContradicted ? ares : null,
    aresTransStatus: isChallenged ? 'C' : (ares ?? final ?? null),
    challengeTransStatus: isChallenged ? (challenge ?? final ?? null) : null,
  };
};

/**
 * Reads the result that a merchant sent with a payment, in any spelling, or returns the problem of each field: an incomplete result would
 * be declined, or lose the liability shift. If nothing is said about a challenge, there was none. `scheme`: of the card, if it is known.
 */
export const readMerchantResult = (record: Sent, scheme?: Scheme): ThreeDsResult | string[] => {
  const { values, problems } = readFields(record);
  const { version, cavv, dsTransId, eci = null } = values;
  const { transStatus, contradicted, ...statuses } = readStatuses(values, scheme);
  if (contradicted !== null)
    problems.push(`threeDSecure.transStatus: contradicts the status of the ARes, ${contradicted}`);
  const known = { version, cavv, dsTransID: dsTransId, transStatus };
  const isNamed = (name: string) => problems.some((problem) => problem.startsWith(`threeDSecure.${name}:`));
  const missing = Object.entries(known).flatMap(([name, value]) =>
    value === undefined && !isNamed(name) ? [`threeDSecure.${name}: is required`] : [],
  );
  if (problems.length > 0 || !version || !cavv || !dsTransId || !transStatus) return [...problems, ...missing];
  return {
    ...{ source: 'merchant', version, cavv, dsTransId, eci, transStatus, ...statuses },
    transStatusReason: values.transStatusReason ?? null,
    challengeCancel: values.challengeCancel ?? null,
    exemption: null,
    challengeInd: values.challengeInd ?? null,
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

/** Checks whether an issuer would accept it: complete, and authenticated or, if the issuer could not authenticate, attempted. */
export const isAuthenticated = (result: ThreeDsResult | null): boolean =>
  hasProof(result) && (result.transStatus === 'Y' || result.transStatus === 'A');
