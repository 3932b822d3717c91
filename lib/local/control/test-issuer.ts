import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { escapeHtml } from '#core/kernel/html.ts';
import type { Clock } from '../clock.ts';
import type { HttpReply } from '../gateway/gateway-responses.ts';

/** The client that the test issuer knows; any merchant and the operators may use it. */
export const testClient = { id: 'forewarn', secret: 'test-issuer-secret' } as const;

type Person = {
  name: string;
  email: string;
  groups: readonly string[];
  /** The token's claims about the address. */
  verified: Readonly<Record<string, unknown>>;
  /** The time since they authenticated here; null: the token does not state it. */
  secondsAgo: number | null;
};

const manager = { groups: ['forewarn-managers'], verified: { email_verified: true }, secondsAgo: 0 };

const operator = { ...manager, groups: ['forewarn-operators'] };

/** People of the test issuer. */
const people: readonly Person[] = [
  { ...manager, name: 'Mia Manager', email: 'mia@demo.example' },
  { ...manager, name: 'Andy Analyst', email: 'andy@demo.example', groups: ['forewarn-analysts'] },
  { ...manager, name: 'Nora Nogroup', email: 'nora@demo.example', groups: [] },
  { ...manager, name: 'Una Unverified', email: 'una@demo.example', verified: { email_verified: false } },
  { ...manager, name: 'Oskar Omitted', email: 'oskar@demo.example', verified: {} },
  { ...manager, name: 'Edna Entra', email: 'edna@demo.example', verified: { xms_edov: '1' } },
  { ...manager, name: 'Sam Stale', email: 'sam@demo.example', secondsAgo: 3600 },
  { ...manager, name: 'Tim Timeless', email: 'tim@demo.example', secondsAgo: null },
  { ...manager, name: 'Eve Elsewhere', email: 'eve@elsewhere.example' },
  { ...operator, name: 'Olga Operator', email: 'olga@operator.example' },
  { ...operator, name: 'Oren Operator', email: 'oren@operator.example', secondsAgo: 3600 },
  { ...operator, name: 'Nico Nooperator', email: 'nico@operator.example', groups: ['forewarn-managers'] },
];

/** The secret `operator-sso` with which operators use the issuer of a stack. */
export const operatorSecret = (url: string): string =>
  JSON.stringify({
    issuer: `${url}/_local/oidc`,
    client_id: testClient.id,
    client_secret: testClient.secret,
    domains: ['operator.example'],
    operator_groups: operator.groups,
  });

/** The meaning of a code of the issuer. */
type Granted = { person: Person; challenge: string; nonce: string; redirectUri: string; isAgain: boolean };
type Call = { host: string; method: string; path: string; query: URLSearchParams; body: string; authorization: string };

const json = (status: number, body: unknown): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** An OpenID provider for tests and demonstrations. It asks for no password and lists people to sign in as. */
export type TestIssuer = { answer(call: Call): Promise<HttpReply | undefined> };

export const createTestIssuer = (clock: Clock): TestIssuer => {
  const codes = new Map<string, Granted>();
  let keys: ReturnType<typeof generateKeyPair> | undefined;
  const keyPair = () => {
    keys ??= generateKeyPair('RS256', { extractable: true });
    return keys;
  };
  return {
    answer: async (call) => {
      const issuer = `http://${call.host}/_local/oidc`;
      const { publicKey, privateKey } = await keyPair();
      if (call.path === '.well-known/openid-configuration') return json(200, configuration(issuer));
      if (call.path === 'keys')
        return json(200, { keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: 'test' }] });
      if (call.path === 'authorize') return choosePage(call.query, codes);
      if (call.path !== 'token' || call.method !== 'POST') return undefined;
      const granted = redeem(call, codes);
      if (!granted) return json(400, { error: 'invalid_grant' });
      const { person, nonce, isAgain } = granted;
      const seconds = Math.floor(clock.now() / 1000);
      const token = await new SignJWT({ nonce, ...makeClaims(person, seconds, isAgain) })
        .setProtectedHeader({ alg: 'RS256', kid: 'test' })
        .setIssuer(issuer)
        .setAudience(testClient.id)
        .setSubject(createHash('sha256').update(person.email).digest('hex').slice(0, 20))
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + 300)
        .sign(privateKey);
      return json(200, { access_token: 'none', token_type: 'Bearer', expires_in: 300, id_token: token });
    },
  };
};

/** `isAgain`: the request asked the person to authenticate again, as choosing oneself counts here. */
const makeClaims = ({ name, email, groups, verified, secondsAgo }: Person, seconds: number, isAgain: boolean) => ({
  ...{ name, email, groups: [...groups], ...verified },
  ...(secondsAgo !== null && { auth_time: isAgain ? seconds : seconds - secondsAgo }),
});

const configuration = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  id_token_signing_alg_values_supported: ['RS256'],
});

/** A code works once, with its verifier, for the client that knows the secret. */
const redeem = ({ body, authorization }: Call, codes: Map<string, Granted>): Granted | undefined => {
  const form = new URLSearchParams(body);
  const code = form.get('code') ?? '';
  const granted = codes.get(code);
  codes.delete(code);
  const expected = `Basic ${Buffer.from(`${testClient.id}:${testClient.secret}`).toString('base64')}`;
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight = authorization === expected && granted?.challenge === challenge;
  return isRight && granted.redirectUri === form.get('redirect_uri') ? granted : undefined;
};

/** One link for each person, back to where the sign-in began. */
const choosePage = (query: URLSearchParams, codes: Map<string, Granted>): HttpReply => {
  const redirectUri = query.get('redirect_uri') ?? '';
  const isComplete = query.get('code_challenge_method') === 'S256' && query.get('client_id') === testClient.id;
  if (!isComplete || !URL.canParse(redirectUri)) return json(400, { error: 'invalid_request' });
  const links = people.map((person) => {
    const code = randomUUID();
    const [challenge, nonce] = [query.get('code_challenge') ?? '', query.get('nonce') ?? ''];
    codes.set(code, { person, challenge, nonce, redirectUri, isAgain: query.get('prompt') === 'login' });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    const groups = person.groups.join(', ') || 'no groups';
    return `<li><a href="${escapeHtml(back.href)}">${escapeHtml(person.name)}</a> <small>${escapeHtml(`${person.email}, ${groups}`)}</small></li>`;
  });
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Test issuer</title>
<style>:root{color-scheme:light dark}body{font:16px/1.6 system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem}li{margin:.75rem 0}small{display:block;opacity:.75}</style>
<h1>Test issuer</h1><p>Choose who signs in. This page exists on the local stack only.</p><ul>${links.join('')}</ul></html>`;
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, body };
};
