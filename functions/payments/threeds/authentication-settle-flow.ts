import { latest, nowIso } from '#core/kernel/clock.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { isEarly } from '#core/platform/work/delay.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { isAbandoned, isDone } from './authentication/authentication.ts';
import { authenticationDue } from './authentication/authentication-due.ts';
import { getAuthentication, saveAuthentication } from './authentication/authentication-store.ts';
import { endAbandoned } from './authentication/conclusion.ts';
import { settleChallenge } from './challenge/challenge-flow.ts';

/**
 * Finds out the result of a challenge whose payer may not have returned, and ends what its payer has abandoned before that. A message that
 * arrives early is sent on, unless its check was moved; one that is repeated, or late, does nothing that the row does not call for.
 */
export const settleAuthentication = async ({
  authenticationId,
  slot,
}: {
  authenticationId: number;
  slot?: string | undefined;
}): Promise<void> => {
  const authentication = await getAuthentication(authenticationId);
  if (!authentication || isDone(authentication)) return;
  const { nextCheckAt, askingUntil, status } = authentication;
  const now = nowIso();
  const isChallenged = status === 'challenged';
  // The process that asks the issuer writes the next state, and when that is checked.
  const due = latest(nextCheckAt ?? now, isChallenged ? null : askingUntil);
  if (isEarly(due, now)) {
    return slot === nextCheckAt
      ? sendOrThrow([authenticationDue.message({ authenticationId, slot }, { at: due })])
      : undefined;
  }
  if (!isChallenged) {
    if (isAbandoned(authentication, now)) await saveAuthentication(authentication, endAbandoned(authentication, now));
    return;
  }
  await settleChallenge(authentication, await keyRing('encryption'));
};
