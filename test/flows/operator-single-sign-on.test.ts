import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, it } from 'vitest';
import { operatorSecret } from '#lib/local/control/test-issuer.ts';
import { signInOperator, testIssuerOf } from '#test/support/single-sign-on.ts';
import { useStack } from '#test/support/stack.ts';

const service = await useStack();

/** Describes the operators' identity provider in the secret; functions read it again after five minutes. */
const configure = async (text: string): Promise<void> => {
  const SecretId = String(process.env['OPERATOR_SSO_SECRET_ID']);
  await new SecretsManagerClient({}).send(new PutSecretValueCommand({ SecretId, SecretString: text }));
  await service.clock.advance('PT6M');
};
const settings = (change: object = {}) =>
  configure(JSON.stringify({ ...JSON.parse(operatorSecret(service.url)), ...change }));
beforeEach(() => settings());

const begin = (body: object) => service.call('/api/v3/session/sso/begin', { body, headers: { origin: service.url } });
const refused = (words: RegExp) => ({
  status: 403,
  body: { code: 'sso_refused', details: expect.stringMatching(words) },
});
const readAudit = async (username: string) => {
  const reply = await service.call('/api/v3/audit/list', {
    token: await service.tokenOf('admin'),
    body: { username },
  });
  return reply.body['list'] as object[];
};
const noticesAbout = async (username: string) => {
  await service.untilIdle();
  const sent = service
    .mails()
    .filter(({ subject, text }) => /Security notice/.test(subject) && text?.includes(username));
  return sent.map(({ to, subject }) => ({ to, subject }));
};

describe('single sign-on of operators', () => {
  it('creates an operator at the first sign-in, audits it and notifies the operators', async () => {
    const signedIn = await signInOperator(service, 'Olga Operator');
    const username = 'olga@operator.example';
    expect(signedIn).toMatchObject({
      status: 200,
      body: { user: { username, scope: 'admin', mid: null, role: null, name: 'Olga Operator' } },
    });
    const token = String(signedIn.body['access_token']);
    expect((await service.call('/api/v3/merchant/create', { token, body: { name: 'New' } })).status).toBe(200);
    expect((await signInOperator(service, 'Olga Operator')).status).toBe(200);
    const bySignIn = (await readAudit(username)).filter((entry) => 'operation' in entry && entry.operation === own);
    expect(bySignIn).toMatchObject([{ by: username, scope: 'admin', mid: null, result: 'DONE' }]);
    expect(await noticesAbout(username)).toEqual([
      { to: [expect.stringContaining('@')], subject: 'Security notice: Single sign-on created an operator' },
    ]);
  });

  it('refuses people of other domains and people without a group of operators', async () => {
    expect(await signInOperator(service, 'Eve Elsewhere')).toMatchObject(refused(/domain/));
    expect(await signInOperator(service, 'Nico Nooperator')).toMatchObject(refused(/groups/));
  });

  it('links an existing operator by the address only where the secret says so', async () => {
    const { createUser } = await import('#accounts/auth/users/user-store.ts');
    const username = 'oren@operator.example';
    await createUser({ username, password: 'correct horse battery', scope: 'admin' });
    expect(await signInOperator(service, 'Oren Operator')).toMatchObject(refused(/exists already/));
    await settings({ link_by_email: true });
    expect(await signInOperator(service, 'Oren Operator')).toMatchObject({ status: 200, body: { user: { username } } });
    expect(await noticesAbout(username)).toMatchObject([
      { subject: 'Security notice: Single sign-on linked an existing user' },
    ]);
    await settings();
    expect((await signInOperator(service, 'Oren Operator')).status).toBe(200);
  });

  it('counts as fresh from the time at which the operator authenticated at the provider', async () => {
    const code = async (signedIn: { body: Record<string, unknown> }) => {
      const [token, body] = [String(signedIn.body['access_token']), { username: 'nobody-here', name: 'N' }];
      return (await service.call('/api/v3/users/update', { token, body })).body['code'];
    };
    expect(await code(await signInOperator(service, 'Olga Operator'))).toBe('user_not_found');
    expect(await code(await signInOperator(service, 'Oren Operator'))).toBe('fresh_sign_in_needed');
    expect(await code(await signInOperator(service, 'Oren Operator', true))).toBe('user_not_found');
  });

  it('never makes a merchant’s person an operator, even one in a group of operators', async () => {
    const sso = testIssuerOf(service);
    await sso.save({ domains: ['operator.example'], default_role: 'analyst', link_by_email: true });
    expect(await sso.signIn('Olga Operator')).toMatchObject({
      status: 200,
      body: {
        user: { username: `olga@operator.example@m${sso.mid}`, scope: 'merchant', mid: sso.mid, role: 'analyst' },
      },
    });
  });

  it('does not sign in as a merchant’s user who has the address as username', async () => {
    const person = { username: 'nico@operator.example', name: 'N', role: 'manager', mid: service.credentials.site.mid };
    const token = await service.tokenOf('admin');
    expect((await service.call('/api/v3/users/create', { token, body: person })).status).toBe(200);
    await settings({ operator_groups: ['forewarn-managers'], link_by_email: true });
    expect(await signInOperator(service, 'Nico Nooperator')).toMatchObject(refused(/not available/));
  });

  it('does not exist unless the secret describes a provider, and reports a secret that is incomplete', async () => {
    await configure('{"current":"k1","k1":"generated"}');
    expect(await begin({})).toMatchObject({ status: 404, body: { code: 'sso_not_found' } });
    await settings({ operator_groups: [] });
    expect(await begin({})).toMatchObject({ status: 409, body: { details: expect.stringContaining('operator-sso') } });
  });
});

const own = 'auth/finish-single-sign-on';
