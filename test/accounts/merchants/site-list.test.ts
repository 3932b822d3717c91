import { beforeAll, describe, expect, it } from 'vitest';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { newTenant, setAlert, type Tenant } from './tenant.ts';

useOperations();

type Listed = { list: { sid: number; type: string | null }[]; totalResult: number; next_cursor: string | null };
let one: Tenant;
let other: Tenant;
let more: number[];

beforeAll(async () => {
  one = await newTenant();
  other = await newTenant();
  more = [];
  for (const name of ['second', 'third']) {
    const { body } = await ask('merchants/create-site', { params: { mid: one.mid, rid: one.rid }, body: { name } });
    more.push((body as { sid: number }).sid);
  }
  await setAlert(one, {});
});

const list = async (as: As, body: Record<string, unknown> = {}): Promise<Listed> => {
  const answer = await ask('merchants/list-sites', { as, body });
  expect(answer.status).toBe(200);
  return answer.body as Listed;
};
const sids = ({ list: sites }: Listed) => sites.map(({ sid }) => sid);

describe('POST /api/v3/site/list', () => {
  it('shows an administrator every site and a merchant its own, the newest first', async () => {
    expect(sids(await list('admin'))).toEqual([...more].reverse().concat(other.sid, one.sid));
    expect(sids(await list(one.as))).toEqual([...more].reverse().concat(one.sid));
    expect(sids(await list(other.as, { order: 'ASC' }))).toEqual([other.sid]);
  });

  it('shows what a list needs, and no secret', async () => {
    const { list: sites, totalResult } = await list(other.as);
    expect({ sites, totalResult }).toEqual({
      sites: [
        {
          sid: other.sid,
          mid: other.mid,
          rid: other.rid,
          name: 'A site',
          merchant_name: 'A merchant',
          retailer_name: 'A retailer',
          type: null,
          created_at: expect.any(String),
        },
      ],
      totalResult: 1,
    });
  });

  it('can be filtered by merchant, retailer and type', async () => {
    expect(sids(await list('admin', { mid: other.mid }))).toEqual([other.sid]);
    expect(sids(await list('admin', { rid: one.rid, type: 'none' }))).toEqual([...more].reverse());
    expect(sids(await list('admin', { type: ['alert', 'payment'] }))).toEqual([one.sid]);
    expect(sids(await list(one.as, { type: 'alert' }))).toEqual([one.sid]);
    expect(sids(await list(other.as, { rid: other.rid }))).toEqual([other.sid]);
    expect(sids(await list('admin', { mid: other.mid, rid: one.rid }))).toEqual([]);
  });

  it("shows nothing of another merchant's", async () => {
    expect(sids(await list(one.as, { mid: other.mid }))).toEqual([]);
    expect(sids(await list(one.as, { rid: other.rid }))).toEqual([]);
    expect(await list(one.as, { rid: 999_999 })).toEqual({ list: [], totalResult: 0, next_cursor: null });
  });

  it('comes in pages', async () => {
    const first = await list(one.as, { size: 2 });
    const second = await list(one.as, { size: 2, cursor: first.next_cursor });
    expect(sids(first).concat(sids(second))).toEqual([...more].reverse().concat(one.sid));
    expect(second.next_cursor).toBeNull();
  });

  it.each([{ size: 501 }, { size: 0 }, { type: 'shop' }, { mid: 'x' }, { cursor: 'x' }, { order: 'UP' }])(
    'refuses %j',
    async (body) => expect(await ask('merchants/list-sites', { body })).toMatchObject({ status: 400 }),
  );
});

it('declares what it does', () => expectDeclared('merchants/list-sites'));
