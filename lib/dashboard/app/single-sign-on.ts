import type { beginSingleSignOnOperation } from '#accounts/auth/api/begin-single-sign-on/operation.ts';
import type { createSessionOperation } from '#accounts/auth/api/create-session/operation.ts';
import type { Reply } from '#core/platform/operation/operation.ts';
import { translate } from '../language/translate.ts';
import { address } from './address.ts';
import { enterAs, user } from './session.ts';
import { readStored, remember } from './storage.ts';
import { post, ServiceError } from './transport.ts';

/** The merchant that the address names, as links for its people do; `operators` in the link for those. */
export const merchantOfLink = (): string => new URLSearchParams(location.search).get('sso') ?? '';

/**
 * Sends the person to the merchant's identity provider, or with `mid` null to that of the operators. It returns them to the present screen.
 * `fresh`: they have to sign in there again. Throws ServiceError.
 */
export const goToIdentityProvider = async (mid: number | null, fresh = false): Promise<void> => {
  const body = { ...(mid !== null && { mid }), fresh };
  const { url } = (await post('/api/v3/session/sso/begin', { body })) as Reply<typeof beginSingleSignOnOperation>;
  // Without the query, which may contain what a person searched for.
  remember('return-to', address.peek().path);
  location.assign(url);
};

/** Returns the identity provider's answer in the address; undefined if there is none. */
export const answerInAddress = (): { state: string; code: string | null } | undefined => {
  const query = new URLSearchParams(location.search);
  const state = query.get('state');
  return state === null ? undefined : { state, code: query.get('code') };
};

/** Signs in with the provider's answer in the address, and removes it from the address. Throws ServiceError. */
export const finishSingleSignOn = async (): Promise<void> => {
  const answered = answerInAddress();
  history.replaceState(null, '', location.pathname);
  if (!answered) return;
  const { state, code } = answered;
  if (code === null)
    throw new ServiceError(403, {
      msg: translate('Not signed in'),
      details: translate('The identity provider did not complete the sign-in. Start it again.'),
    });
  const signedIn = await post('/api/v3/session/sso', { body: { state, code } });
  const answer = signedIn as Reply<typeof createSessionOperation>;
  remember('single-sign-on', String(answer.user.mid));
  location.hash = readStored('return-to') ?? '';
  enterAs(answer);
};

/**
 * The merchant at whose identity provider the signed-in person can confirm who they are; null: an operator; undefined: they did not sign in
 * there.
 */
export const merchantOfSingleSignOn = (): number | null | undefined => {
  const mid = user.value?.mid;
  return readStored('single-sign-on') === String(mid) ? mid : undefined;
};
