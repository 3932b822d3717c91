import { nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { newTimedId, randomText } from '#core/kernel/ids.ts';
import { anonymousCallWrite } from '#core/platform/audit/audit-store.ts';
import { deriveLinkToken } from '#core/platform/mail/link-token.ts';
import { createMail, mailIdOf } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { transact } from '#core/platform/table/table.ts';
import { countTry } from '../sessions/sign-in-store.ts';
import { findSingleSignOn } from '../single-sign-on/single-sign-on-store.ts';
import { answerForgotten, maxRequests, newPasswordLetter, singleSignOnLetter } from './forgotten-password.ts';
import { linkLife, newAskedLink } from './password-link.ts';
import { newLinkWrite } from './password-link-store.ts';
import { plainUsername } from './user.ts';
import { findUser } from './user-store.ts';

/** `language`: of the page. `baseUrl`: where the service was called. */
type PasswordRequest = { username: string; language: string; baseUrl: string; sourceIp: string; requestId: string };

const nonceCharacters = 26;

/**
 * Queues an e-mail to a person who has forgotten their password. The reads and writes are the same for an unknown name: its link
 * is for no user, and its e-mail has no receiver. An unknown name, which may be a password in the wrong field, is not stored. Throws
 * too_many_attempts.
 */
export const askForPassword = async ({ username: sent, language, baseUrl, ...origin }: PasswordRequest) => {
  await countTry(`password from ${origin.sourceIp}`, maxRequests.address);
  await countTry(`password of ${plainUsername(sent)}`, maxRequests.username);
  const user = await findUser(sent);
  const { mid = null, username = '', email = '' } = user ?? {};
  const [provider, ring, at] = [await findSingleSignOn(mid ?? 0), await keyRing('encryption'), nowIso()];
  const answer = answerForgotten(user, provider?.enabled === true);
  const seed = { key: ring.current, nonce: randomText(nonceCharacters) };
  const token = deriveLinkToken(ring, seed);
  const mail = createMail({
    ...{
      id: mailIdOf(newTimedId()),
      kind: 'password_forgotten',
      sid: 0,
      mid: mid ?? 0,
      at,
      life: linkLife.asked,
      baseUrl,
    },
    to: answer === 'nothing' ? [] : [email],
    letter:
      answer === 'provider' ? singleSignOnLetter({ username, mid }, language) : newPasswordLetter(username, language),
    ...(answer !== 'provider' && { linkSeed: seed }),
  });
  await transact({
    link: newLinkWrite(newAskedLink(sha256(token), { username: answer === 'link' ? username : '', email }, at)),
    mail: newMailWrite(mail),
    audit: anonymousCallWrite('auth/ask-for-password', { mid, username }, origin),
  });
};
