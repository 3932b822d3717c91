import type { beginSingleSignOnOperation } from '#accounts/auth/api/begin-single-sign-on/operation.ts';
import type { createSessionOperation } from '#accounts/auth/api/create-session/operation.ts';
import type { Reply } from '#core/platform/operation/operation.ts';
import { enterAs } from './session.ts';
import { post, ServiceError } from './transport.ts';

/** The merchant that the address names, as links for its people do. */
export const merchantOfLink = (): string => new URLSearchParams(location.search).get('sso') ?? '';

/** Sends the person to the merchant's identity provider. Throws ServiceError. */
export const goToIdentityProvider = async (mid: number): Promise<void> => {
  const { url } = (await post('/api/v3/session/sso/begin', { body: { mid } })) as Reply<
    typeof beginSingleSignOnOperation
  >;
  location.assign(url);
};

/** Returns the identity provider's answer in the address; undefined if there is none. */
export const answerInAddress = (): { state: string; code: string | null } | undefined => {
  const query = new URLSearchParams(location.search);
  const state = query.get('state');
  return state === null ? undefined : { state, code: query.get('code') };
};

/** Signs in with the answer in the address, which is removed from there. Throws ServiceError. */
export const finishSingleSignOn = async (): Promise<void> => {
  const answer = answerInAddress();
  history.replaceState(null, '', `${location.pathname}${location.hash}`);
  if (!answer) return;
  const { state, code } = answer;
  if (code === null)
    throw new ServiceError(403, { msg: 'Not signed in', details: 'The identity provider let nobody in.' });
  const signedIn = await post('/api/v3/session/sso', { body: { state, code } });
  enterAs(signedIn as Reply<typeof createSessionOperation>);
};
