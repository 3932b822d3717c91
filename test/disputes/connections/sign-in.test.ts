import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { findProcessorApp } from '#disputes/connections/sign-in/processor-apps-store.ts';
import { offeredSignIns } from '#disputes/connections/sign-in/sign-in-flow.ts';
import { newTenant, setAlert, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';
import { type As, ask, useOperations } from '#test/support/operations.ts';

useOperations();

let stripe: FakeStripe;
let apps: string;
let tenant: Tenant;
/** Secrets are kept for five minutes. */
let passed = 0;
const later = (time: number) => {
  passed += time;
  setClock(() => Date.now() + passed);
};
beforeAll(async () => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  stripe = await startFakeStripe();
  const ring = (name: string) => JSON.stringify({ current: 'k1', k1: `the ${name} secret of this test` });
  mockClient(SecretsManagerClient)
    .on(GetSecretValueCommand)
    .callsFake(({ SecretId: name }: { SecretId: string }) => ({
      SecretString: name === 'processor-apps' ? apps : ring(name),
    }));
});
beforeEach(async () => {
  const { signIns, secretKey: secret_key, url: base_url } = stripe;
  apps = JSON.stringify({ stripe: { client_id: signIns.clientId, secret_key, base_url } });
  later(milliseconds.hour);
  tenant = await newTenant();
  await setAlert(tenant, {});
});
afterAll(async () => {
  delete process.env['ALLOW_LOOPBACK_HTTP'];
  setClock();
  await stripe[Symbol.asyncDispose]();
});

type Shown = { id: string; kind: string; credentials: Record<string, string> };
const signIns = async (as: As = tenant.as): Promise<{ kind: string; url: string }[]> => {
  const { body } = await ask('connections/connection-details', { as, params: { mid: tenant.mid } });
  return (body as { sign_ins: { kind: string; url: string }[] }).sign_ins;
};
/** Returns the answer of the processor to a person who opens the page and agrees. */
const agree = async (as: As = tenant.as): Promise<{ state: string; code: string }> => {
  const [page] = await signIns(as);
  const { headers } = await fetch(page?.url ?? '', { redirect: 'manual' });
  const answer = new URL(headers.get('location') ?? '').searchParams;
  return { state: answer.get('state') ?? '', code: answer.get('code') ?? '' };
};
const set = (connections: object[], as: As = tenant.as) =>
  ask('connections/set-connections', { as, params: { mid: tenant.mid }, body: { connections } });
const byStripe = (sign_in: object) => ({ kind: 'stripe', label: 'The shop', sign_in });
const tryToSet = async (...connections: object[]): Promise<string> => {
  const { status, body } = await set(connections);
  expect(status).toBe(400);
  return (body as { details: string }).details;
};

describe('a sign-in at Stripe', () => {
  it('connects the account, which then works, and shows its identifier and never its key', async () => {
    const { status, body } = await set([byStripe(await agree())]);
    expect({ status, body }).toMatchObject({ status: 200 });
    const [{ id, credentials }] = (body as { connections: [Shown] }).connections;
    expect(credentials).toMatchObject({ account: stripe.signIns.account, environment: 'test' });
    expect(JSON.stringify(body)).not.toContain(stripe.secretKey);
    const test = await ask('connections/test-connection', { as: tenant.as, params: { mid: tenant.mid, id } });
    expect(test.body).toMatchObject({ works: true });
  });

  it('begins at the page of the app, with the dashboard as the address to return to', async () => {
    const [page] = await signIns();
    const url = new URL(page?.url ?? '');
    expect([page?.kind, url.origin, url.pathname]).toEqual(['stripe', stripe.url, '/oauth/authorize']);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ response_type: 'code', client_id: stripe.signIns.clientId, scope: 'read_write' },
      ...{ redirect_uri: expect.stringMatching(/\/dashboard$/), state: expect.stringMatching(/^connection\.stripe\./) },
    });
    expect(page?.url).not.toContain(stripe.secretKey);
  });

  it('cannot be used by another person, for another merchant, after an hour, or with a forged state', async () => {
    const { state, code } = await agree('admin');
    expect(await tryToSet(byStripe({ state, code }))).toBe(
      'connections.0.sign_in: has expired, or another person began it; sign in again',
    );
    const own = await agree();
    const other = await newTenant();
    const params = { mid: other.mid };
    expect(
      await ask('connections/set-connections', { as: other.as, params, body: { connections: [byStripe(own)] } }),
    ).toMatchObject({
      status: 400,
    });
    expect(await tryToSet(byStripe({ ...own, state: `${own.state.slice(0, -2)}AA` }))).toContain('has expired');
    expect(await tryToSet(byStripe({ ...own, state: 'connection.' }))).toContain('has expired');
    expect(await tryToSet(byStripe({ ...own, state: own.state.replace('connection.', '') }))).toContain('has expired');
    later(milliseconds.hour + 1);
    expect(await tryToSet(byStripe(own))).toContain('has expired');
    expect(stripe.requests.filter(({ path }) => path === '/oauth/token')).toHaveLength(1);
  });

  it('is refused if Stripe does not confirm the code, and sends a code only once', async () => {
    const answered = await agree();
    expect(await tryToSet(byStripe({ ...answered, code: 'ac_unknown' }))).toContain('was not confirmed');
    stripe.fail('lost', /POST \/oauth\/token/, 1);
    const before = stripe.requests.length;
    expect(await tryToSet(byStripe(answered))).toContain('was not confirmed by the processor; sign in again');
    expect(stripe.requests.length).toBe(before + 1);
  });

  it('does not connect an account twice, and renews the keys of the connection that it names', async () => {
    const { body } = await set([byStripe(await agree())]);
    const [{ id }] = (body as { connections: [Shown] }).connections;
    expect(await tryToSet({ id, kind: 'stripe', label: 'The shop' }, byStripe(await agree()))).toBe(
      'connections.1.sign_in: this account is connected already',
    );
    const renewed = await set([{ id, ...byStripe(await agree()) }]);
    expect((renewed.body as { connections: Shown[] }).connections).toMatchObject([
      { id, credentials: { account: stripe.signIns.account } },
    ]);
  });

  it('does not come with credentials, nor for a processor without sign-ins', async () => {
    const answered = await agree();
    const both = { ...byStripe(answered), credentials: { secret_key: 'rk_live_secretsecretABCD' } };
    expect(await tryToSet(both)).toBe('connections.0.sign_in: must not come with credentials');
    expect(await tryToSet({ ...byStripe(answered), kind: 'nmi' })).toBe(
      'connections.0.sign_in: is not offered for this processor',
    );
  });
});

describe('the apps of the operator', () => {
  it('are offered to people only', async () => {
    expect(await signIns()).toHaveLength(1);
    const program = { scope: 'merchant', mid: tenant.mid, subject: 'key:1' } as const;
    const key = { permissions: ['settings:money'], sites: null } as const;
    for (const kind of [{ key }, { isProgram: true } as const]) {
      expect(await offeredSignIns(tenant.mid, { ...program, ...kind }, 'https://api.example')).toEqual([]);
    }
  });

  it.each([
    ['a new stage', '{"current":"k1","k1":"generated"}'],
    ['no JSON', 'text'],
    ['a part of an app', '{"stripe": {"client_id": "ca_1"}}'],
    ['another processor', '{"paypal": {"client_id": "ca_1", "secret_key": "sk_1"}}'],
  ])('are not offered with %s in the secret', async (_, text) => {
    apps = text;
    later(milliseconds.hour);
    expect(await findProcessorApp('stripe')).toBeUndefined();
    expect(await signIns()).toEqual([]);
  });
});
