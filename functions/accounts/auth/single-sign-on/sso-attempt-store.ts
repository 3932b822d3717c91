import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { requireNew } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, tryTransact } from '#core/platform/table/table.ts';
import { newSessionSecret } from '../sessions/session-secrets.ts';
import { type SsoAttempt, ssoAttemptEnd } from './single-sign-on.ts';
import { fromSsoAttemptItem, toSsoAttemptItem } from './single-sign-on-row.ts';

/** Records a sign-in that is sent to an identity provider. `secret`: what the browser keeps in a cookie. */
export const beginSsoAttempt = async ({
  mid,
  redirectUri,
  isStepUp,
}: Pick<SsoAttempt, 'mid' | 'redirectUri' | 'isStepUp'>): Promise<{ attempt: SsoAttempt; secret: string }> => {
  const [state, nonce, verifier] = [newSessionSecret(), newSessionSecret(), newSessionSecret()].map(
    (one) => one.secret,
  );
  const { secret, digest: binding } = newSessionSecret();
  const attempt: SsoAttempt = {
    ...{ state: state ?? '', nonce: nonce ?? '', verifier: verifier ?? '', mid, binding, redirectUri, isStepUp },
    expiresAt: ssoAttemptEnd(nowIso()),
  };
  await putItem(toSsoAttemptItem(attempt), requireNew);
  return { attempt, secret };
};

/** Uses up an attempt that belongs to the caller's browser. Throws session_over. */
export const takeSsoAttempt = async (state: string, isOwn: (attempt: SsoAttempt) => boolean): Promise<SsoAttempt> => {
  const attempt = fromSsoAttemptItem(await getItem(keys.ssoAttempt(state)));
  const used = { Delete: { Key: keys.ssoAttempt(state), ConditionExpression: 'attribute_exists(pk)' } };
  if (attempt && isOwn(attempt) && !(await tryTransact({ attempt: used }))) return attempt;
  throw new Refusal('session_over', 'state: has expired, was used, or belongs to another browser. Sign in again.', {
    fields: { code: 'session_over' },
  });
};
