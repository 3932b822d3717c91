import { afterEach, describe, expect, it } from 'vitest';
import { fromRcodeItem } from '#accounts/merchants/site/site-row.ts';
import { getSite, openSecrets } from '#accounts/merchants/site/site-store.ts';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { newTenant, setAlert, type Tenant } from './tenant.ts';

useOperations();
afterEach(() => setClock());

const start = Date.UTC(2026, 4, 2, 10);
const iso = (time: number) => new Date(time).toISOString();
const rotate = async (operation: 'merchants/rotate-rcode' | 'merchants/rotate-signing-secret', { sid, as }: Tenant) =>
  (await ask(operation, { as, params: { sid } })).body as Record<string, string>;
const readHolder = async (rcode: string, time: number) =>
  fromRcodeItem(await getItem(keys.rcode(sha256(rcode))), iso(time));
const readSecrets = async ({ sid }: Tenant, time: number) => {
  const site = await getSite(sid);
  if (!site) throw new Error('no site');
  return openSecrets(site, iso(time));
};

describe('a new rcode', () => {
  it('is valid at once, and the one before for 24 hours more', async () => {
    setClock(() => start);
    const tenant = await newTenant();
    const { rcode = '', previous_valid_until: end } = await rotate('merchants/rotate-rcode', tenant);
    expect(rcode).toMatch(/^[0-9a-z]{32}$/);
    expect(end).toBe(iso(start + milliseconds.day));
    expect(await readHolder(rcode, start + 30 * milliseconds.day)).toMatchObject({ sid: tenant.sid, validUntil: null });
    expect(await readHolder(tenant.rcode, start + milliseconds.day - 1)).toMatchObject({ sid: tenant.sid });
    expect(await readHolder(tenant.rcode, start + milliseconds.day)).toBeUndefined();
    expect((await readSecrets(tenant, start)).rcodes).toEqual([rcode, tenant.rcode]);
    expect((await readSecrets(tenant, start + milliseconds.day)).rcodes).toEqual([rcode]);
  });

  it('leaves each earlier one its own 24 hours', async () => {
    setClock(() => start);
    const tenant = await newTenant();
    const { rcode: second = '' } = await rotate('merchants/rotate-rcode', tenant);
    setClock(() => start + milliseconds.hour);
    const { rcode: third = '' } = await rotate('merchants/rotate-rcode', tenant);
    expect((await readSecrets(tenant, start + milliseconds.hour)).rcodes).toEqual([third, second, tenant.rcode]);
    expect((await readSecrets(tenant, start + milliseconds.day)).rcodes).toEqual([third, second]);
    expect((await readSecrets(tenant, start + 25 * milliseconds.hour)).rcodes).toEqual([third]);
    expect(await readHolder(tenant.rcode, start + milliseconds.day - 1)).toMatchObject({ sid: tenant.sid });
  });

  it('ends the oldest when five are valid already', async () => {
    const tenant = await newTenant();
    for (let n = 0; n < 5; n += 1) await rotate('merchants/rotate-rcode', tenant);
    expect(await getItem(keys.rcode(sha256(tenant.rcode)))).toBeUndefined();
    expect((await readSecrets(tenant, Date.now())).rcodes).toHaveLength(5);
  });

  it('knows as the old one does whether status updates are wanted', async () => {
    const tenant = await newTenant();
    const { rcode = '' } = await rotate('merchants/rotate-rcode', tenant);
    await setAlert(tenant, { statusupdate_url: 'https://hooks.shop.example/status' });
    for (const one of [rcode, tenant.rcode]) {
      expect(await readHolder(one, Date.now())).toMatchObject({ statusUpdates: true });
    }
  });
});

describe('a new signing secret', () => {
  it('signs immediately, and together with the previous secret for 24 hours', async () => {
    setClock(() => start);
    const tenant = await newTenant();
    const { signing_secret, previous_valid_until: end } = await rotate('merchants/rotate-signing-secret', tenant);
    expect(end).toBe(iso(start + milliseconds.day));
    expect((await readSecrets(tenant, start)).signingSecrets).toEqual([signing_secret, tenant.signing_secret]);
    expect((await readSecrets(tenant, start + milliseconds.day)).signingSecrets).toEqual([signing_secret]);
    expect((await readSecrets(tenant, start)).rcodes, 'the rcode stays').toEqual([tenant.rcode]);
  });
});

describe.each([
  ['rcode', 'merchants/rotate-rcode', 'rcodes', 'rcode'],
  ['signing secret', 'merchants/rotate-signing-secret', 'signingSecrets', 'signing_secret'],
] as const)('the rotation of a %s', (_name, operation, kept, field) => {
  it('lets one of several at once win, so that what is in use stays valid', async () => {
    for (let round = 0; round < 5; round += 1) {
      const tenant = await newTenant();
      const answers = await Promise.all(
        [1, 2, 3].map(() => ask(operation, { as: tenant.as, params: { sid: tenant.sid } })),
      );
      const winners = answers.filter(({ status }) => status === 200).map(({ body }) => body as Record<string, string>);
      const losers = answers.filter(({ status }) => status === 409);
      expect(winners.length + losers.length).toBe(3);
      const secrets = (await readSecrets(tenant, Date.now()))[kept];
      // Those that did not overlap may both have won, one after the other.
      expect(new Set(secrets)).toEqual(new Set([...winners.map((winner) => winner[field]), tenant[field]]));
    }
  });

  it("is not another merchant's to ask for", async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    const theirs = await ask(operation, { as: one.as, params: { sid: other.sid } });
    expect(theirs).toMatchObject({ status: 404, body: { msg: 'No such site' } });
    expect(theirs).toEqual(await ask(operation, { as: one.as, params: { sid: 999_999 } }));
    expect((await readSecrets(other, Date.now()))[kept]).toEqual([other[field]]);
  });
});

it.each(['merchants/rotate-rcode', 'merchants/rotate-signing-secret'])('%s declares what it does', expectDeclared);
