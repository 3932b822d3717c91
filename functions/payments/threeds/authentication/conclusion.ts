import type { Authentication, Result } from './authentication.ts';
import type { AuthenticationConclusion, AuthenticationReason, TransStatus } from './authentication-result.ts';
import { isLiabilityShifted } from './liability-shift.ts';

/** The facts of an authentication that is done. */

export const noResult: Result = {
  transStatus: null,
  transStatusReason: null,
  aresTransStatus: null,
  challengeTransStatus: null,
  eci: null,
  messageVersion: null,
  dsTransId: null,
  acsTransId: null,
  challengeCancel: null,
  authenticationType: null,
  cardholderInfo: null,
  exemption: null,
  liabilityShift: false,
};

/** A step and the value that proves it, which is stored separately and sealed. */
export type Step = { authentication: Authentication; value: string | null };

/** An authentication that is done, with its result. */
export const concludeAuthentication = (
  before: Authentication,
  { outcome, reason }: AuthenticationConclusion,
  result: Result,
  at: string,
): Authentication => ({
  ...before,
  status: 'done',
  outcome,
  reason,
  result,
  payer: null,
  challenge: null,
  askingUntil: null,
  nextCheckAt: null,
  doneAt: at,
});

/** Ends an authentication without a question, or without an answer. */
export const endWithoutResult = (
  before: Authentication,
  conclusion: AuthenticationConclusion,
  at: string,
  result: Partial<Result> = {},
): Authentication => concludeAuthentication(before, conclusion, { ...noResult, ...soFar(before), ...result }, at);

/** An authentication whose payer has left before a challenge. */
export const endAbandoned = (before: Authentication, at: string): Authentication =>
  endWithoutResult(before, { outcome: 'timed_out', reason: 'timeout' }, at);

/** Returns the known facts of a challenge that was not completed. */
export const soFar = ({ challenge, server }: Authentication): Partial<Result> => {
  if (!challenge) return { messageVersion: server?.version ?? null };
  const { dsTransId, acsTransId, authenticationType, cardholderInfo } = challenge.ares;
  const messageVersion = challenge.ares.messageVersion ?? server?.version ?? null;
  return { aresTransStatus: 'C', messageVersion, dsTransId, acsTransId, authenticationType, cardholderInfo };
};

export const unavailableConclusion = (reason: AuthenticationReason): AuthenticationConclusion => ({
  outcome: 'unavailable',
  reason,
});

/** The result with who is expected to bear the liability for fraud. */
export const withLiability = (
  { card, settings: { mcc, countryNumber, messageCategory } }: Authentication,
  result: Result,
  value: string | null,
): Result => {
  const { transStatus, eci, exemption } = result;
  const isExempt = exemption !== null;
  const isShifted =
    card !== null &&
    value !== null &&
    isLiabilityShifted({ scheme: card.scheme, transStatus, eci, isExempt, mcc, countryNumber, messageCategory });
  return { ...result, liabilityShift: isShifted };
};

/** Issuers send values with some answers that authenticate no payer; those are useless. */
const provable: readonly (TransStatus | null)[] = ['Y', 'A', 'I'];
export const provingValue = ({ transStatus }: Result, value: string | null): string | null =>
  provable.includes(transStatus) ? value : null;
