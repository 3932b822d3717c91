import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { claimsOfIdentityToken } from '#accounts/auth/single-sign-on/identity-token.ts';
import { browserAddress, callIssuer, IssuerError } from '#accounts/auth/single-sign-on/issuer-client.ts';
import { testIssuerOf } from '#test/support/single-sign-on.ts';
import { useStack } from '#test/support/stack.ts';

const service = await useStack();
const sso = testIssuerOf(service);

const finish = (sent: { headers: Record<string, string>; body: object }) => service.call('/api/v3/session/sso', sent);
const createUser = async (username: string, role: string) => {
  const token = await service.tokenOf('merchant');
  const { body } = await service.call('/api/v3/users/create', { token, body: { username, name: username, role } });
  return body;
};
const users = async () => {
  const { body } = await service.call('/api/v3/users/list', { token: await service.tokenOf('merchant'), body: {} });
  return body['list'] as { username: string; role: string }[];
};
const readAudit = async (username: string) => {
  const body = { username };
  const reply = await service.call('/api/v3/audit/list', { token: await service.tokenOf('admin'), body });
  return reply.body['list'] as object[];
};
const boss = 'boss@demo.example';
const noticesAbout = async (username: string) => {
  await service.untilIdle();
  const sent = service.mails().filter(({ to, text }) => to.includes(boss) && (text ?? '').includes(username));
  return sent.map(({ subject }) => subject);
};
const refused = (words: RegExp) => ({
  status: 403,
  body: { code: 'sso_refused', details: expect.stringMatching(words) },
});

describe('single sign-on', () => {
  it('sends the person to the provider with a challenge, and binds the sign-in to the browser', async () => {
    await sso.save();
    const headers = { origin: service.url };
    const begun = await service.call('/api/v3/session/sso/begin', { body: { mid: sso.mid }, headers });
    const url = new URL(String(begun.body['url']));
    expect(`${url.origin}${url.pathname}`).toBe(`${service.url}/_local/oidc/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: 'code', client_id: 'forewarn', redirect_uri: `${service.url}/dashboard` },
      ...{ code_challenge_method: 'S256', code_challenge: expect.stringMatching(/^[\w-]{43}$/) },
      max_age: '43200',
    });
    expect(begun.headers.get('set-cookie')).toMatch(
      /^forewarn-sso=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=600$/,
    );
  });

  it('makes a user at the first sign-in, whose role follows from the groups', async () => {
    await sso.save();
    const signedIn = await sso.signIn('Mia Manager');
    expect(signedIn).toMatchObject({
      status: 200,
      body: { user: { username: `mia@demo.example@m${sso.mid}`, mid: sso.mid, role: 'manager', name: 'Mia Manager' } },
    });
    const token = String(signedIn.body['access_token']);
    expect((await service.call('/api/v3/users/list', { token, body: {} })).status).toBe(200);
    await sso.save({ role_values: { analyst: ['forewarn-managers'] } });
    expect(await sso.signIn('Mia Manager')).toMatchObject({ status: 200, body: { user: { role: 'analyst' } } });
    await service.clock.advance('PT1M');
    expect((await service.call('/api/v3/users/list', { token, body: {} })).body['code']).toBe('token_revoked');
    expect((await users()).filter(({ username }) => username === `mia@demo.example@m${sso.mid}`)).toHaveLength(1);
  });

  it('audits a user whom it creates or gives another role, and notifies the managers', async () => {
    await createUser(boss, 'manager');
    await sso.save();
    expect((await sso.signIn('Tim Timeless')).status).toBe(200);
    const tim = `tim@demo.example@m${sso.mid}`;
    const about = { username: tim, by: tim, mid: sso.mid, result: 'DONE' };
    const entry = { ...about, operation: 'auth/finish-single-sign-on', fields: ['role', 'username'] };
    expect(await readAudit(tim)).toMatchObject([entry]);
    await sso.save({ role_values: { developer: ['forewarn-managers'] } });
    expect((await sso.signIn('Tim Timeless')).status).toBe(200);
    expect((await sso.signIn('Tim Timeless')).status).toBe(200);
    expect(await readAudit(tim)).toMatchObject([entry, entry]);
    expect(await noticesAbout(tim)).toEqual([
      'Security notice: Single sign-on created a user with the role manager',
      'Security notice: Single sign-on changed a role from manager to developer',
    ]);
  });

  it('refuses people of other domains, without groups, or with addresses that are not verified', async () => {
    await sso.save();
    expect(await sso.signIn('Eve Elsewhere')).toMatchObject(refused(/domain/));
    expect(await sso.signIn('Nora Nogroup')).toMatchObject(refused(/groups/));
    expect(await sso.signIn('Una Unverified')).toMatchObject(refused(/not verified/));
    await sso.save({ default_role: 'analyst' });
    expect(await sso.signIn('Nora Nogroup')).toMatchObject({ status: 200, body: { user: { role: 'analyst' } } });
  });

  it('links a user who exists by the address only where the settings say so, and notifies the managers', async () => {
    await createUser('andy@demo.example', 'analyst');
    const andy = `andy@demo.example@m${sso.mid}`;
    await sso.save();
    expect(await sso.signIn('Andy Analyst')).toMatchObject(refused(/exists already/));
    await service.untilIdle();
    expect(await noticesAbout(andy)).toEqual(['Security notice: Create a user of a merchant']);
    await sso.save({ link_by_email: true });
    const linked = { status: 200, body: { user: { username: andy, role: 'analyst' } } };
    expect(await sso.signIn('Andy Analyst')).toMatchObject(linked);
    expect(await readAudit(andy)).toMatchObject([
      { operation: 'auth/finish-single-sign-on', by: andy, fields: ['username'] },
    ]);
    const notice = 'Security notice: Single sign-on linked an existing user';
    expect(await noticesAbout(andy)).toContain(notice);
    await sso.save();
    expect(await sso.signIn('Andy Analyst')).toMatchObject(linked);
    expect((await noticesAbout(andy)).filter((subject) => subject === notice)).toHaveLength(1);
  });

  it('links a user of the merchant whom an operator gave the address alone as username', async () => {
    const admin = await service.tokenOf('admin');
    const sam = { username: 'sam@demo.example', name: 'Sam', role: 'analyst', mid: sso.mid };
    expect((await service.call('/api/v3/users/create', { token: admin, body: sam })).status).toBe(200);
    await sso.save({ link_by_email: true });
    expect(await sso.signIn('Sam Stale')).toMatchObject({ status: 200, body: { user: { username: sam.username } } });
  });

  it('makes a user of its own where another merchant has the address as username, and reveals nothing of them', async () => {
    const admin = await service.tokenOf('admin');
    const { body: other } = await service.call('/api/v3/merchant/create', { token: admin, body: { name: 'Other' } });
    const eve = { username: 'eve@elsewhere.example', name: 'Eve', role: 'analyst', mid: other['mid'] };
    expect((await service.call('/api/v3/users/create', { token: admin, body: eve })).status).toBe(200);
    await sso.save({ link_by_email: true, domains: ['demo.example', 'elsewhere.example'] });
    expect(await sso.signIn('Eve Elsewhere')).toMatchObject({
      status: 200,
      body: { user: { username: `eve@elsewhere.example@m${sso.mid}`, mid: sso.mid } },
    });
  });

  it('never signs in as a user who was disabled', async () => {
    await sso.save();
    const token = await service.tokenOf('merchant');
    const change = { username: `andy@demo.example@m${sso.mid}`, disabled: true };
    expect((await service.call('/api/v3/users/update', { token, body: change })).status).toBe(200);
    expect(await sso.signIn('Andy Analyst')).toMatchObject(refused(/disabled/));
  });

  it('counts as fresh from the time at which the person authenticated at the provider', async () => {
    await sso.save();
    const isFresh = async (signedIn: { body: Record<string, unknown> }) => {
      const [token, body] = [String(signedIn.body['access_token']), { username: 'nobody-here', name: 'N' }];
      return (await service.call('/api/v3/users/update', { token, body })).body['code'] !== 'fresh_sign_in_needed';
    };
    expect(await isFresh(await sso.signIn('Mia Manager'))).toBe(true);
    expect(await isFresh(await sso.signIn('Sam Stale'))).toBe(false);
    expect(await isFresh(await sso.signIn('Tim Timeless'))).toBe(false);
    expect(await isFresh(await sso.signIn('Sam Stale', true))).toBe(true);
  });

  it('asks the provider to authenticate the person again for a step-up, and refuses a token that does not state it', async () => {
    await sso.save();
    const begun = await service.call('/api/v3/session/sso/begin', {
      body: { mid: sso.mid, fresh: true },
      headers: { origin: service.url },
    });
    expect(Object.fromEntries(new URL(String(begun.body['url'])).searchParams)).toMatchObject({
      ...{ max_age: '0', prompt: 'login' },
    });
    expect(await sso.signIn('Tim Timeless', true)).toMatchObject(refused(/auth_time/));
  });

  it('creates no user for an address that the provider does not state to be verified', async () => {
    await sso.save();
    expect(await sso.signIn('Oskar Omitted')).toMatchObject(refused(/email_verified/));
    expect(await sso.signIn('Edna Entra')).toMatchObject(refused(/email_verified/));
    await sso.save({ verified_claim: 'xms_edov' });
    expect(await sso.signIn('Edna Entra')).toMatchObject({ status: 200 });
    expect(await sso.signIn('Oskar Omitted')).toMatchObject(refused(/xms_edov/));
    expect((await users()).filter(({ username }) => username.startsWith('oskar@demo.example'))).toEqual([]);
  });

  it('signs a known person in whose token no longer states that the address is verified', async () => {
    await sso.save({ verified_claim: 'xms_edov' });
    expect((await sso.signIn('Edna Entra')).status).toBe(200);
    await sso.save();
    expect((await sso.signIn('Edna Entra')).status).toBe(200);
  });

  it('is bound to the browser that began it, and works once, within ten minutes', async () => {
    await sso.save();
    const over = { status: 401, body: { code: 'session_over' } };
    const [mine, theirs] = [await sso.choose('Mia Manager'), await sso.choose('Mia Manager')];
    expect(await finish({ ...mine, headers: theirs.headers })).toMatchObject(over);
    expect(await finish({ ...mine, headers: { origin: service.url } })).toMatchObject(over);
    expect((await finish(mine)).status).toBe(200);
    expect(await finish(mine)).toMatchObject(over);
    await service.clock.advance('PT10M');
    expect(await finish(theirs)).toMatchObject(over);
  });

  it('keeps the secret only for the issuer and the client that it was given for', async () => {
    await sso.save();
    const path = `/api/v3/merchant/${sso.mid}/sso`;
    const token = await service.tokenOf('merchant');
    const { body: shown, text } = await service.call(`${path}/details`, { token, body: {} });
    expect(text).not.toContain('test-issuer-secret');
    const { mid: _, redirect_uri: __, ...settings } = shown;
    expect((await service.call(path, { token, body: settings })).status).toBe(200);
    const moved = { ...settings, issuer: 'https://login.elsewhere.example' };
    expect(await service.call(path, { token, body: moved })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('client_secret') },
    });
    expect((await sso.signIn('Mia Manager')).status).toBe(200);
  });
});

describe('an identity token', () => {
  const at = new Date('2026-05-02T10:00:00Z');
  const expected = { issuer: 'https://login.example', clientId: 'forewarn', nonce: 'n', at };
  const verify = async (change: Record<string, unknown> = {}, by?: CryptoKey) => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const seconds = at.getTime() / 1000;
    const claims = { iss: expected.issuer, aud: 'forewarn', sub: 's', nonce: 'n', iat: seconds, exp: seconds + 60 };
    const token = await new SignJWT({ ...claims, ...change })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(by ?? privateKey);
    return claimsOfIdentityToken(token, { keys: [await exportJWK(publicKey)] }, expected);
  };

  it('is accepted from its issuer, for this client and this sign-in alone', async () => {
    expect(await verify()).toMatchObject({ sub: 's' });
    const past = at.getTime() / 1000 - 3600;
    const wrong = [
      { iss: 'https://evil.example' },
      { aud: 'another' },
      { nonce: 'x' },
      { exp: past },
      { aud: ['forewarn', 'x'] },
    ];
    for (const change of wrong) expect(await verify(change), JSON.stringify(change)).toBeUndefined();
    expect(await verify({}, (await generateKeyPair('ES256')).privateKey)).toBeUndefined();
  });

  it('is not accepted if it is unsigned, or signed with the public key as a secret', async () => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true });
    const key = await exportJWK(publicKey);
    const claims = { iss: expected.issuer, aud: 'forewarn', sub: 's', nonce: 'n', iat: 1, exp: 9_999_999_999 };
    const secret = new TextEncoder().encode(JSON.stringify(key).padEnd(64, '='));
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    const [, payload = ''] = forged.split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const token of [forged, `${header}.${payload}.`]) {
      expect(await claimsOfIdentityToken(token, { keys: [key] }, expected)).toBeUndefined();
    }
  });
});

it.each([
  'http://login.example',
  'https://127.0.0.1',
  'https://localhost',
  'https://169.254.169.254',
  'https://user:x@login.example',
])('does not call %s as an identity provider', (address) =>
  expect(callIssuer(address)).rejects.toMatchObject({ name: 'IssuerError' }),
);

it.each(['http://login.example', 'javascript:alert(1)', 'https://user:x@login.example'])(
  'does not send a browser to %s to sign in',
  (address) => expect(() => browserAddress(address)).toThrow(IssuerError),
);
