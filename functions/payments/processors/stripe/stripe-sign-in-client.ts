import * as v from 'valibot';
import type { ProcessorApp, SignedIn, SignIn } from '../ports/account.ts';
import { exchangeJson, objectIn } from '../ports/json-exchange-client.ts';

/**
 * Connects an account by Stripe Connect's OAuth, which Stripe has for accounts that already exist.
 * @see https://docs.stripe.com/connect/oauth-reference
 */

const Token = v.object({ access_token: v.string(), stripe_user_id: v.string() });

const connectUrl = ({ base_url: base = 'https://connect.stripe.com' }: ProcessorApp, path: string): string =>
  `${base}${path}`;

/** The access token works like a secret key of the account, does not expire, and ends when the merchant disconnects the app. */
const exchange = async (app: ProcessorApp, code: string): Promise<SignedIn> => {
  const form = { grant_type: 'authorization_code', code, client_secret: app.secret_key };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const request = { method: 'POST', headers, body: new URLSearchParams(form).toString() };
  // Only the first exchange of a code succeeds: one whose answer was lost is not repeated.
  const answer = await exchangeJson(connectUrl(app, '/oauth/token'), request, false);
  const found = objectIn('stripe', answer, (body) => {
    const { success, output } = v.safeParse(Token, body);
    return success ? output : undefined;
  });
  if (found === null) return { problem: 'unavailable', detail: 'stripe 404' };
  if ('problem' in found) return found;
  const { access_token: secret_key, stripe_user_id: account } = found.object;
  return { account, keys: { secret_key, ...(app.base_url !== undefined && { base_url: app.base_url }) } };
};

export const stripeSignIn: SignIn = {
  page(app, { state, returnTo }) {
    const query = {
      response_type: 'code',
      client_id: app.client_id,
      scope: 'read_write',
      state,
      redirect_uri: returnTo,
    };
    return `${connectUrl(app, '/oauth/authorize')}?${new URLSearchParams(query)}`;
  },
  exchange,
};
