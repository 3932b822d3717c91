import { nowIso } from '#core/kernel/clock.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { isEarly } from '#core/platform/work/delay.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { authenticationDue } from './authentication/authentication-due.ts';
import { getAuthentication } from './authentication/authentication-store.ts';
import { settleChallenge } from './challenge/challenge-flow.ts';

/**
 * Finds out how a challenge ended whose payer may not have come back. A message that comes early is sent on, unless its check was
 * moved; one that comes twice, or late, does nothing that the row does not call for.
 */
export const settleAuthentication = async ({
  authenticationId,
  slot,
}: {
  authenticationId: number;
  slot?: string | undefined;
}): Promise<void> => {
  const authentication = await getAuthentication(authenticationId);
  if (authentication?.status !== 'challenged') return;
  const { nextCheckAt } = authentication;
  if (nextCheckAt !== null && isEarly(nextCheckAt, nowIso())) {
    return slot === nextCheckAt
      ? sendOrThrow([authenticationDue.message({ authenticationId, slot }, { at: nextCheckAt })])
      : undefined;
  }
  await settleChallenge(authentication, await keyRing('encryption'));
};
