import {
  type AuthenticatedCard,
  type Authentication,
  abandonedFrom,
  type IssuerChallenge,
  type Result,
  type WindowSize,
} from '../authentication/authentication.ts';
import { type AuthenticationReason, conclusionOfAres, isTransStatus } from '../authentication/authentication-result.ts';
import {
  concludeAuthentication,
  endWithoutResult,
  noResult,
  provingValue,
  type Step,
  unavailableConclusion,
  withLiability,
} from '../authentication/conclusion.ts';
import { firstCheckOf } from '../challenge/challenge.ts';
import { grantedExemption } from '../challenge/challenge-wish.ts';
import type { Ares, Unavailable, Versions } from './three-ds-server.ts';
import { isSpoken } from './versions.ts';

/** The changes of an authentication by the immediate answers of the 3DS server and the issuer. */

const serverReasons = { timeout: 'timeout', refused: 'server_error', broken: 'server_error' } as const;

/** After the 3DS server was asked about a card. Anything that was under way is given up. */
export const afterVersions = (
  before: Authentication,
  card: AuthenticatedCard,
  versions: Versions,
  at: string,
): Authentication => {
  const fresh = { ...before, card, server: null, challenge: null, askingUntil: null, nextCheckAt: null };
  if (versions.kind === 'not_enrolled') return endWithoutResult(fresh, unavailableConclusion('not_enrolled'), at);
  if (versions.kind === 'unavailable')
    return endWithoutResult(fresh, unavailableConclusion(serverReasons[versions.why]), at);
  const { version, serverTransId: transId, methodUrl } = versions;
  if (!isSpoken(version) || version > before.settings.highestVersion) {
    return endWithoutResult(fresh, unavailableConclusion('version_not_supported'), at);
  }
  const server = { transId, version, methodUrl, startedAt: at };
  return { ...fresh, status: 'started', server, nextCheckAt: abandonedFrom(at) };
};

const resultOfAres = (authentication: Authentication, ares: Ares): Result => ({
  ...noResult,
  transStatus: isTransStatus(ares.transStatus) ? ares.transStatus : null,
  transStatusReason: ares.transStatusReason,
  aresTransStatus: ares.transStatus,
  eci: ares.eci,
  messageVersion: ares.messageVersion ?? authentication.server?.version ?? null,
  dsTransId: ares.dsTransId,
  acsTransId: ares.acsTransId,
  authenticationType: ares.authenticationType,
  cardholderInfo: ares.cardholderInfo,
  exemption: grantedExemption(authentication.exemption, ares),
});

/** After the issuer answered, or could not. */
export const afterAres = (
  before: Authentication,
  answer: { kind: 'ares'; ares: Ares } | Unavailable,
  windowSize: WindowSize,
  at: string,
): Step => {
  if (answer.kind === 'unavailable') {
    return {
      authentication: endWithoutResult(before, unavailableConclusion(serverReasons[answer.why]), at),
      value: null,
    };
  }
  const { authenticationValue, ...ares } = answer.ares;
  const result = resultOfAres(before, answer.ares);
  const conclusion = conclusionOfAres(ares);
  if (conclusion) {
    const value = provingValue(result, authenticationValue);
    return {
      authentication: concludeAuthentication(before, conclusion, withLiability(before, result, value), at),
      value,
    };
  }
  const refused = refusedChallenge(before, ares);
  if (refused)
    return { authentication: concludeAuthentication(before, unavailableConclusion(refused), result, at), value: null };
  const challenge = { ares, windowSize, at, creqAt: null, cresAt: null };
  const nextCheckAt = firstCheckOf(at);
  return {
    authentication: { ...before, status: 'challenged', askingUntil: null, challenge, nextCheckAt },
    value: null,
  };
};

const refusedChallenge = (
  { settings }: Authentication,
  ares: IssuerChallenge['ares'],
): AuthenticationReason | undefined => {
  if (settings.disablesChallenge) return 'challenge_disabled';
  return ares.acsUrl === null || ares.acsTransId === null ? 'acs_url_invalid' : undefined;
};
