import type { Ares, Rreq } from '../server/three-ds-server.ts';

/** The results of an authentication, for the merchant; EMVCo's status is a field of its own. */
export const outcomes = [
  'authenticated',
  'attempted',
  'informational',
  'not_authenticated',
  'rejected',
  'unavailable',
  'canceled',
  'timed_out',
] as const;
export type AuthenticationResult = (typeof outcomes)[number];

/** EMVCo's final statuses; C (a challenge follows) is not one of them. */
export const transStatuses = ['Y', 'A', 'N', 'U', 'R', 'I'] as const;
export type TransStatus = (typeof transStatuses)[number];

/** Why an authentication came to nothing, where EMVCo's status does not say it. */
export type AuthenticationReason =
  | 'issuer'
  | 'not_enrolled'
  | 'version_not_supported'
  | 'timeout'
  | 'server_error'
  | 'challenge_disabled'
  | 'status_not_supported'
  | 'acs_url_invalid'
  | 'skipped'
  | 'no_result'
  | 'payer'
  | 'abort';

export type AuthenticationConclusion = { outcome: AuthenticationResult; reason: AuthenticationReason | null };

const byStatus: Readonly<Record<TransStatus, AuthenticationResult>> = {
  Y: 'authenticated',
  A: 'attempted',
  I: 'informational',
  N: 'not_authenticated',
  R: 'rejected',
  U: 'unavailable',
};

export const isTransStatus = (status: string): status is TransStatus => Object.hasOwn(byStatus, status);

const conclude = (status: string): AuthenticationConclusion => {
  if (!isTransStatus(status)) return { outcome: 'unavailable', reason: 'status_not_supported' };
  return { outcome: byStatus[status], reason: status === 'U' ? 'issuer' : null };
};

/** Returns the issuer's immediate answer; undefined: it wants a challenge. D (decoupled) and S (SPC) are not supported. */
export const conclusionOfAres = ({ transStatus }: Pick<Ares, 'transStatus'>): AuthenticationConclusion | undefined =>
  transStatus === 'C' ? undefined : conclude(transStatus);

/** EMVCo's `challengeCancel`: 01 by the payer; 03, 04, 05 and 08 time ran out; 06 and 07 say nothing about the payer. */
const canceledBy: Readonly<Record<string, AuthenticationResult>> = {
  '01': 'canceled',
  '03': 'timed_out',
  '04': 'timed_out',
  '05': 'timed_out',
  '08': 'timed_out',
};

/** Returns the result of a challenge. If the payer stopped it, its status is N or U, and the conclusion states that they stopped. */
export const conclusionOfRreq = ({
  transStatus,
  challengeCancel,
}: Pick<Rreq, 'transStatus' | 'challengeCancel'>): AuthenticationConclusion => {
  const canceled = canceledBy[challengeCancel ?? ''];
  if (canceled && (transStatus === 'N' || transStatus === 'U')) {
    return { outcome: canceled, reason: canceled === 'canceled' ? 'payer' : 'timeout' };
  }
  // I is answered in place of a challenge, so it is not valid as the result of one.
  return conclude(transStatus === 'I' ? 'S' : transStatus);
};

/** Checks whether a payment goes on with the values of an authentication. */
export const hasValues = (outcome: AuthenticationResult): boolean =>
  outcome === 'authenticated' || outcome === 'attempted' || outcome === 'informational';

/** Checks whether a payment goes on without them: nothing says that the payer is not the cardholder. */
export const goesOnWithout = (outcome: AuthenticationResult): boolean => outcome === 'unavailable';
