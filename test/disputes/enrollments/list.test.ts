import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

let time = Date.parse('2026-05-02T10:00:00.000Z');
beforeEach(() => setClock(() => time));
afterEach(() => setClock());

type Fields = Record<string, unknown>;
type Listed = { enrollment_request_id: number; status: string };
const page = { size: 50, offset: 0 };
const list = (as: As, body: Fields | URLSearchParams) => ask('enrollments/list-enrollments', { as, body });
const listed = async (as: As, fields: Fields = {}): Promise<{ list: Listed[]; totalResult: number }> => {
  const { status, body } = await list(as, { ...page, ...fields });
  expect(status).toBe(200);
  return body as { list: Listed[]; totalResult: number };
};
const listIds = async (as: As, fields: Fields = {}) =>
  (await listed(as, fields)).list.map(({ enrollment_request_id: id }) => id);

const request = async ({ as, sid }: Pick<Tenant, 'as' | 'sid'>, ...statuses: string[]): Promise<number> => {
  time += 60_000;
  const names = statuses.map((_, index) => `LIST ${sid} ${time} ${index}`);
  const enrollment_items = names.map((descriptor) => ({ provider: ['provider_a'], descriptor, match_type: 'Exact' }));
  const { body } = await ask('enrollments/create-enrollment', { as, body: { sid, enrollment_items } });
  const { enrollment_request_id: id } = body as { enrollment_request_id: number };
  for (const [index, status] of statuses.entries()) {
    if (status === 'PENDING') continue;
    const change = { provider: 'provider_a', descriptor: names[index], status };
    expect((await ask('enrollments/set-enrollment-item', { params: { id }, body: change })).status).toBe(200);
  }
  return id;
};

describe('POST /api/v3/service_alerts/descriptor_enrollments', () => {
  it("lists the caller's requests, newest first, each with the keys that its providers have", async () => {
    const tenant = await newTenant();
    const at = new Date(time).toISOString();
    const { body } = await ask('enrollments/create-enrollment', {
      as: tenant.as,
      body: {
        sid: tenant.sid,
        enrollment_items: [
          { provider: ['provider_a'], descriptor: 'SHOP', match_type: 'Exact' },
          { provider: ['rdr'], network_arn: '1'.repeat(23) },
        ],
      },
    });
    const first = (body as Listed).enrollment_request_id;
    const second = await request(tenant, 'ENROLLED');
    const { list: found, totalResult } = await listed(tenant.as);
    expect(totalResult).toBe(2);
    expect(found.map(({ enrollment_request_id: id }) => id)).toEqual([second, first]);
    expect(found[0]).toMatchObject({ status: 'ENROLLED', completed_at: expect.stringMatching(/Z$/) });
    expect(found[1]).toEqual({
      enrollment_request_id: first,
      merchant_name: 'A merchant',
      site_name: 'A site',
      products: 'provider_a,rdr',
      status: 'PENDING',
      request_date: at,
      last_activity: at,
      completed_at: null,
      enrollment_items: [
        { descriptor: 'SHOP', provider: 'provider_a', status: 'PENDING', last_activity: at, match_type: 'Exact' },
        {
          descriptor: '',
          provider: 'rdr',
          status: 'PENDING',
          last_activity: at,
          mcc: null,
          network_bin: null,
          network_caid: null,
          network_arn: '1'.repeat(23),
          rdr_ruleset: null,
        },
      ],
    });
  });

  it('finds by the status of any item, and by several', async () => {
    const tenant = await newTenant();
    const [pending, mixed, failed] = [
      await request(tenant, 'PENDING'),
      await request(tenant, 'ENROLLED', 'PENDING'),
      await request(tenant, 'FAILED'),
    ];
    const by = (...status: string[]) => listIds(tenant.as, { status });
    expect(await by('PENDING')).toEqual([mixed, pending]);
    expect(await by('ENROLLED')).toEqual([mixed]);
    expect(await by('ENROLLED', 'FAILED')).toEqual([failed, mixed]);
    expect(await by('PARTIALLY ENROLLED')).toEqual([mixed]);
    expect(await by('UNENROLLED')).toEqual([]);
  });

  it('finds by several merchants, retailers and sites, and by all of them together', async () => {
    const [one, other, third] = [await newTenant(), await newTenant(), await newTenant()];
    const [a, b, c] = [await request(one, 'PENDING'), await request(other, 'FAILED'), await request(third, 'PENDING')];
    expect(await listIds('admin', { mid: [one.mid, String(third.mid)] })).toEqual([c, a]);
    expect(await listIds('admin', { rid: [one.rid, other.rid] })).toEqual([b, a]);
    expect(await listIds('admin', { sid: [other.sid, third.sid, other.sid] })).toEqual([c, b]);
    expect(await listIds('admin', { sid: [other.sid, third.sid], mid: [third.mid] })).toEqual([c]);
    expect(await listIds('admin', { mid: [one.mid, other.mid, third.mid], status: ['PENDING'] })).toEqual([c, a]);
    expect(await listIds('admin', { sid: [one.sid], rid: [other.rid] })).toEqual([]);
  });

  it("shows nothing of another merchant's, as of what there is not", async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    await request(other, 'PENDING');
    for (const name of ['mid', 'rid', 'sid'] as const) {
      expect(await listed(own.as, { [name]: [other[name]] })).toEqual({ list: [], totalResult: 0 });
      expect(await listed(own.as, { [name]: [999_999] })).toEqual({ list: [], totalResult: 0 });
    }
    expect(await listIds(own.as)).toEqual([]);
  });

  it('finds by the day of the request, in UTC, both days included', async () => {
    const tenant = await newTenant();
    time = Date.parse('2026-06-01T23:58:00.000Z');
    const [late, next] = [await request(tenant, 'PENDING'), await request(tenant, 'PENDING')];
    expect(await listIds(tenant.as, { date_from: '2026-06-01', date_to: '2026-06-01' })).toEqual([late]);
    expect(await listIds(tenant.as, { date_from: '2026-06-02' })).toEqual([next]);
    expect(await listIds(tenant.as, { date_from: '2026-06-01', date_to: '2026-06-02' })).toEqual([next, late]);
  });

  it('gives pages in either order', async () => {
    const tenant = await newTenant();
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await request(tenant, 'PENDING'));
    expect(await listIds(tenant.as, { order: 'ASC', size: 2, offset: 0 })).toEqual(ids.slice(0, 2));
    expect(await listIds(tenant.as, { order: 'ASC', size: 2, offset: 2 })).toEqual(ids.slice(2, 4));
    expect(await listIds(tenant.as, { size: '2', offset: '4' })).toEqual(ids.slice(0, 1));
  });

  it('sorts by other fields', async () => {
    const tenant = await newTenant();
    const [first, second, third] = [
      await request(tenant, 'ENROLLED'),
      await request(tenant, 'PENDING'),
      await request(tenant, 'FAILED'),
    ];
    const by = (sort_field: string, order = 'ASC', fields: Fields = {}) =>
      listIds(tenant.as, { sort_field, order, ...fields });
    expect(await by('status')).toEqual([first, third, second]);
    expect(await by('status', 'DESC', { offset: 1, size: 1 })).toEqual([third]);
    expect(await by('completed_at')).toEqual([first, third, second]);
    expect(await by('enrollment_request_id')).toEqual([first, second, third]);
    expect(await by('site_name')).toEqual([third, second, first]);
    const open = await request(tenant, 'PENDING');
    expect(await by('completed_at')).toEqual([first, third, open, second]);
    expect(await by('completed_at', 'DESC')).toEqual([third, first, open, second]);
    expect(await by('request_date', 'ASC', { status: ['PENDING'] })).toEqual([second, open]);
  });

  it('takes a form, which need not name a page', async () => {
    const tenant = await newTenant();
    const [a, b] = [await request(tenant, 'PENDING'), await request(tenant, 'FAILED')];
    const ids = async (text: string) =>
      ((await list(tenant.as, new URLSearchParams(text))).body as { list: Listed[] }).list.map(
        ({ enrollment_request_id: id }) => id,
      );
    expect(await ids('order=ASC')).toEqual([a, b]);
    expect(await ids(`status[]=PENDING&status[]=FAILED&sid[]=${tenant.sid}&size=1&offset=1`)).toEqual([a]);
    expect(await ids('status=FAILED')).toEqual([b]);
  });

  it('treats empty form fields as absent', async () => {
    const tenant = await newTenant();
    const [a, b] = [await request(tenant, 'PENDING'), await request(tenant, 'FAILED')];
    const empty = { status: '', sid: '', rid: '', mid: '', date_from: '', date_to: '', order: '', sort_field: '' };
    expect(await listIds(tenant.as, empty)).toEqual([b, a]);
    expect(await listIds(tenant.as, { status: [''], sid: ['', ''], order: 'ASC' })).toEqual([a, b]);
    const form = new URLSearchParams({ ...empty, 'status[]': '', 'sid[]': '', size: '', offset: '' });
    expect(await list(tenant.as, form)).toMatchObject({ status: 200, body: { totalResult: 2 } });
    const some = new URLSearchParams([
      ['status[]', ''],
      ['status[]', 'FAILED'],
    ]);
    expect(await list(tenant.as, some)).toMatchObject({ status: 200, body: { totalResult: 1 } });
    expect(await list(tenant.as, { size: '', offset: 0 })).toMatchObject({
      status: 400,
      body: { details: 'size: is required' },
    });
    // No sites are none, and not all.
    expect(await listIds(tenant.as, { sid: [] })).toEqual([]);
  });

  it.each([
    [{}, 'size: is required; offset: is required'],
    [{ size: 501, offset: 0 }, 'size: must be at most 500'],
    [{ ...page, status: ['DONE'] }, 'status: must be one of'],
    [{ ...page, sid: ['x'] }, 'sid'],
    [{ ...page, sort_field: 'sid' }, 'sort_field: must be one of'],
    [{ ...page, date_from: '2026-02-30' }, 'date_from: must be YYYY-MM-DD'],
    [{ ...page, order: 'UP' }, 'order: must be ASC or DESC'],
  ])('refuses %j', async (body, details) =>
    expect(await list('admin', body)).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining(details) },
    }),
  );

  it('reads every list there is', async () => {
    const [{ mid, rid, sid }, status] = [await newTenant(), ['FAILED']];
    for (const fields of [{}, { status }]) {
      for (const owner of [{}, { mid }, { rid }, { sid }]) await listed('admin', { ...fields, ...owner });
    }
  });
});

it.each(['enrollments/list-enrollments'])('%s declares what it does', expectDeclared);
