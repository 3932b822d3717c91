import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeyIn } from '#accounts/auth/api-keys/api-key.ts';
import { ipRangeOf } from '#accounts/auth/api-keys/ip-range.ts';
import { handler } from '#accounts/auth/jobs/authorizer/handler.ts';
import { milliseconds, setClock } from '#core/kernel/clock.ts';
import { admit, admitSites, toCaller } from '#core/platform/http/access.ts';
import { isInRanges } from '#core/platform/http/ip-ranges.ts';
import { type Operation, permissions } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

const start = Date.UTC(2026, 4, 2, 10);
beforeEach(() => setClock(() => start));
afterEach(() => setClock());

type Fields = Record<string, unknown>;
const stage = 'arn:aws:execute-api:eu-west-1:123456789012:abcdef1234/dev';
const authorize = (key: unknown) =>
  handler({ type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn: `${stage}/POST/api/v3/site/list` });

const create = async (body: object = {}): Promise<Fields> => {
  const merchant = await ask('merchants/create-merchant', { body: { name: 'A merchant' } });
  const { mid } = merchant.body as { mid: number };
  const made = await ask('auth/create-api-key', {
    as: { mid },
    body: { name: 'Order system', permissions: ['alerts:read', 'refunds'], ...body },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body as Fields;
};
const listed = async ({ mid }: Fields): Promise<Fields[]> => {
  const { body } = await ask('auth/list-api-keys', { as: { mid: Number(mid) }, body: {} });
  return (body as { list: Fields[] }).list;
};
const revoke = ({ mid, id }: Fields) =>
  ask('auth/revoke-api-key', { as: { mid: Number(mid) }, body: { id: Number(id) } });

describe('an API key', () => {
  it('is shown once, and lists show what it may do', async () => {
    const made = await create({ ip_ranges: ['203.0.113.7', '2001:DB8::1/48'], valid_days: 30 });
    expect(made['key']).toMatch(/^fwk_\d+_[\w-]{43}$/);
    const [row] = await listed(made);
    expect(row).toEqual({
      ...{ id: made['id'], mid: made['mid'], name: 'Order system', permissions: ['alerts:read', 'refunds'] },
      ...{ sites: null, ip_ranges: ['203.0.113.7/32', '2001:db8::/48'], created_by: `merchant-${made['mid']}` },
      ...{ created_at: '2026-05-02T10:00:00.000Z', expires_at: '2026-06-01T10:00:00.000Z' },
      ...{ revoked_at: null, last_used_at: null },
    });
  });

  it('gives the gateway its merchant, permissions and IP ranges', async () => {
    const { key, id, mid } = await create({ ip_ranges: ['203.0.113.0/24'] });
    expect(await authorize(key)).toMatchObject({
      policyDocument: { Statement: [{ Effect: 'Allow', Resource: `${stage}/*` }] },
      context: {
        ...{ scope: 'merchant', subject: `key:${id}`, mid: String(mid), program: 'true' },
        ...{ permissions: 'alerts:read refunds', ipRanges: '203.0.113.0/24' },
      },
    });
  });

  it('is refused with a wrong secret, without further details', async () => {
    const { key } = await create();
    const wrong = `${String(key).slice(0, -5)}AAAAA`;
    expect((await authorize(wrong)).context).toMatchObject({ code: 'unauthenticated' });
    expect((await authorize(`fwk_999999_${'A'.repeat(43)}`)).context).toEqual((await authorize(wrong)).context);
  });

  it('is refused after it expired or was revoked', async () => {
    const made = await create({ valid_days: 1 });
    setClock(() => start + milliseconds.day);
    expect((await authorize(made['key'])).context).toMatchObject({ code: 'token_expired' });
    const other = await create();
    expect((await revoke(other)).status).toBe(200);
    expect((await authorize(other['key'])).context).toMatchObject({ code: 'token_revoked' });
    expect(await revoke(other)).toMatchObject({ status: 200, body: { revoked_at: '2026-05-03T10:00:00.000Z' } });
  });

  it('records its use once an hour', async () => {
    const made = await create();
    const usedAt = async () => (await listed(made))[0]?.['last_used_at'];
    await authorize(made['key']);
    expect(await usedAt()).toBe('2026-05-02T10:00:00.000Z');
    setClock(() => start + milliseconds.hour - 1);
    await authorize(made['key']);
    expect(await usedAt()).toBe('2026-05-02T10:00:00.000Z');
    setClock(() => start + milliseconds.hour);
    await authorize(made['key']);
    expect(await usedAt()).toBe('2026-05-02T11:00:00.000Z');
  });

  it('is accepted with any spacing and capitalization of Bearer, and in no other form', () => {
    const secret = 's'.repeat(43);
    expect(apiKeyIn(`bearer  fwk_7_${secret}`)).toEqual({ id: 7, secret });
    for (const header of [undefined, `fwk_7_${secret}`, `Bearer fwk_7_${secret}x`, `Bearer fwk_x_${secret}`]) {
      expect(apiKeyIn(header)).toBeUndefined();
    }
  });
});

it.each(['create-api-key', 'list-api-keys', 'revoke-api-key'])('auth/%s behaves as declared', async (name) => {
  const made = await create();
  await revoke(made);
  await ask('auth/list-api-keys', { body: {} });
  await ask('auth/create-api-key', {
    as: { mid: Number(made['mid']) },
    body: { name: 'x', permissions: ['refunds'], sites: [999] },
  });
  await listed(made);
  expectDeclared(`auth/${name}`);
});

describe('the permissions of an API key', () => {
  const key = (change: object = {}) => ({
    ...{ scope: 'merchant', subject: 'key:1', mid: '7', program: 'true', permissions: 'refunds settings:money' },
    ...change,
  });
  const codeOf = (work: () => void): unknown => {
    try {
      work();
      return 'admitted';
    } catch (error) {
      return Object(error).code;
    }
  };
  const at = '2026-05-02T10:00:00.000Z';
  const admitted = (operation: Partial<Operation>, context = key(), sourceIp = '203.0.113.9') =>
    codeOf(() => admit({ auth: 'bearer', ...operation }, context, { at, sourceIp }));
  const guarded: Operation[] = operations.filter(({ auth }) => auth === 'bearer');
  const nameOf = ({ area, name }: Operation) => `${area}/${name}`;

  it('admit what they name, without a role or a fresh sign-in', () => {
    expect(admitted({ permission: 'refunds', roles: ['analyst'] })).toBe('admitted');
    expect(admitted({ permission: 'settings:money', diverts: 'money', fresh: true })).toBe('admitted');
    expect(admitted({ permission: 'alerts:read' })).toBe('permission_missing');
    expect(admitted({ permission: 'person' }, key({ permissions: permissions.join(' ') }))).toBe('permission_missing');
    expect(admitted({}, key({ permissions: 'undefined person' }))).toBe('permission_missing');
    expect(admitted({ auth: 'admin' })).toBe('scope_missing');
  });

  it("admit nothing from an address outside the key's ranges", () => {
    const ranges = key({ ipRanges: '203.0.113.0/24 2001:db8::/48' });
    expect(admitted({ permission: 'refunds' }, ranges)).toBe('admitted');
    expect(admitted({ permission: 'refunds' }, ranges, '2001:db8:0:1::2')).toBe('admitted');
    expect(admitted({ permission: 'refunds' }, ranges, '203.0.114.9')).toBe('ip_not_allowed');
    expect(admitted({ permission: 'refunds' }, ranges, '')).toBe('ip_not_allowed');
  });

  it("admit only the key's own sites, where the key is limited to sites", () => {
    const limited = key({ sites: '3 4' });
    const caller = toCaller({ auth: 'bearer' }, limited);
    expect(admitted({ permission: 'refunds' }, limited)).toBe('site_not_allowed');
    expect(admitted({ permission: 'refunds', siteKeys: 'found' }, limited)).toBe('admitted');
    const naming = (...fields: unknown[]) =>
      codeOf(() => admitSites({ auth: 'bearer', siteKeys: 'named' }, caller, fields));
    expect(naming({ sid: 3 }, undefined)).toBe('admitted');
    expect(naming({}, { sid: [3, 4] })).toBe('admitted');
    for (const fields of [[{}], [{ sid: [] }], [{ sid: 5 }], [{ sid: 3 }, { sid: [3, 5] }]]) {
      expect(naming(...fields), JSON.stringify(fields)).toBe('site_not_allowed');
    }
  });

  it('are dedicated ones where money, data or secrets are diverted', () => {
    const wanted = { money: 'settings:money', data: 'settings:data', secret: 'settings:secrets' };
    const diverting = guarded.filter(
      ({ diverts, divertsIf, permission }) => diverts && !divertsIf && permission !== 'person',
    );
    for (const one of diverting) expect(one.permission, nameOf(one)).toBe(one.diverts && wanted[one.diverts]);
    const special: readonly unknown[] = Object.values(wanted);
    const others = guarded.filter(({ diverts, permission }) => !diverts && special.includes(permission));
    expect(others.map(nameOf)).toEqual([]);
  });

  it('never include users, roles or keys', () => {
    const people = guarded.filter(({ permission }) => permission === 'person').map(nameOf);
    expect(people).toEqual(guarded.filter(({ area, name }) => area === 'auth' && name !== 'list-audit').map(nameOf));
  });

  // The audit keeps the counts of its lists, and the server of agents the replies of actions, which are operations with permissions of their own.
  it('allow no change where they only allow reading', () => {
    const writing = /^(Put|Update|Delete)Item$/;
    const reading = guarded.filter(({ permission = '' }) => permission.endsWith(':read'));
    const changing = reading.filter(
      ({ roles, grants: { table = [] } }) => roles && table.some((one) => writing.test(one)),
    );
    expect(changing.map(nameOf)).toEqual(['agents/mcp', 'auth/list-audit']);
  });

  it('find the site in the field sid of every operation that names one', () => {
    const names = (schema: unknown): string[] => {
      const { entries = {}, pipe = [] } = Object(schema);
      return [...Object.keys(entries), ...pipe.filter((one: unknown) => one !== schema).flatMap(names)];
    };
    const silent = guarded
      .filter(({ siteKeys }) => siteKeys === 'named')
      .filter(({ params, body }) => ![...names(params), ...names(body)].includes('sid'));
    expect(silent.map(nameOf)).toEqual([]);
  });
});

describe('IP address ranges', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['2001:DB8::5', '2001:db8::5/128'],
    ['2001:db8:1:2::5/48', '2001:db8:1::/48'],
  ])('are normalized: %s becomes %s', (text, range) => expect(ipRangeOf(text)).toBe(range));

  it.each(['', '203.0.113', '1', '0x7f.1', '203.0.113.0/33', '::/129', 'example.com'])('reject %j', (text) =>
    expect(ipRangeOf(text)).toBeUndefined(),
  );

  it('match IPv4 addresses that are written as IPv6', () => {
    expect(isInRanges('::ffff:203.0.113.9', ['203.0.113.0/24'])).toBe(true);
    expect(isInRanges('203.0.113.9', ['2001:db8::/32'])).toBe(false);
  });
});
