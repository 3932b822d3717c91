import { Secret, TOTP } from 'otpauth';
import * as v from 'valibot';
import type { SampleStack, Values } from './sample-stack.ts';

const Session = v.object({ access_token: v.string() });
const Linked = v.object({ username: v.string(), setup_url: v.string() });
const Created = v.object({ id: v.number() });
const SetUp = v.object({ challenge: v.string(), secret: v.string() });

const password = 'correct horse battery';

/**
 * The placeholders for signing in with a browser.
 * - `{{session_cookie}}`: the value of the cookie of a new session
 * - `{{new_username}}`: a new user of the demo merchant, an analyst, `{{password_link_token}}`: of the link to set their password
 * - `{{new_password}}`: that of the new user, who has set it
 * - `{{api_key_id}}`: the number of a new API key of the demo merchant
 * - `{{challenge}}`, `{{factor_code}}`: what a sign-in with a second factor waits for, and its answer
 */
export const signInValues = ({ url, credentials: { merchant, site }, read, ...stack }: SampleStack): Values => {
  const post = (path: string, body: object, token?: string) =>
    stack.post(path, body, { origin: url, ...(token !== undefined && { authorization: `Bearer ${token}` }) });
  const setUp = async () => {
    const [username, password] = [await read('new_username'), await read('new_password')];
    const { access_token } = v.parse(Session, await post('/api/v3/session/create', { username, password }));
    return v.parse(SetUp, await post('/api/v3/session/factor/setup', {}, access_token));
  };
  return {
    session_cookie: async () => {
      const headers = { 'content-type': 'application/json', origin: url };
      const response = await fetch(`${url}/api/v3/session/create`, {
        method: 'POST',
        headers,
        body: JSON.stringify(merchant),
      });
      return /=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';
    },
    new_user: async () => {
      const sent = { username: await read('unique'), name: 'Sample', role: 'analyst', mid: site.mid };
      return JSON.stringify(await stack.postAsAdmin('/api/v3/users/create', sent));
    },
    new_username: async () => v.parse(Linked, JSON.parse(await read('new_user'))).username,
    password_link_token: async () =>
      v.parse(Linked, JSON.parse(await read('new_user'))).setup_url.split('token=')[1] ?? '',
    new_password: async () => {
      await post('/api/v3/users/password', { token: await read('password_link_token'), password });
      return password;
    },
    api_key_id: async () => {
      const sent = { name: 'Sample', permissions: ['alerts:read'] };
      return String(v.parse(Created, await stack.postAsMerchant('/api/v3/api-keys/create', sent)).id);
    },
    set_up: async () => JSON.stringify(await setUp()),
    challenge: async () => v.parse(SetUp, JSON.parse(await read('set_up'))).challenge,
    factor_code: async () => {
      const { secret } = v.parse(SetUp, JSON.parse(await read('set_up')));
      return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(await read('now')) });
    },
  };
};
