import { describe, expect, it } from 'vitest';
import { fromRcodeItem } from '#accounts/merchants/site/site-row.ts';
import { getSite, openSecrets } from '#accounts/merchants/site/site-store.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { newTenant } from './tenant.ts';

useOperations();

const at = '2026-05-02T10:00:00.000Z';
const readBody = async <T>(answer: Promise<{ body: unknown }>): Promise<T> => (await answer).body as T;

describe('a merchant', () => {
  const body = {
    name: 'Merchant One',
    payments: true,
    threeDS: false,
    alerts: 1,
    order_insights: 'true',
    oi_merchant_id: 'oi-1',
    remarks: '',
    themeid: 3,
  };

  it('is shown as it was created, without what is not known', async () => {
    const { mid } = await readBody<{ mid: number }>(
      ask('merchants/create-merchant', { body: { ...body, unknown: 'x' } }),
    );
    expect(await ask('merchants/merchant-details', { as: { mid }, params: { mid } })).toMatchObject({
      status: 200,
      body: { ...body, mid, alerts: true, order_insights: true, created_at: expect.stringMatching(/Z$/) },
    });
    expect(JSON.stringify(await getItem(keys.merchant(mid)))).not.toContain('unknown');
  });

  it('has a name at providers of look-ups that no other merchant has', async () => {
    const named = { name: 'Named', order_insights: true, oi_merchant_id: 'oi-of-one' };
    const { mid } = await readBody<{ mid: number }>(ask('merchants/create-merchant', { body: named }));
    expect(await ask('merchants/create-merchant', { body: named })).toMatchObject({
      status: 409,
      body: { details: expect.stringContaining('oi_merchant_id: another merchant has it') },
    });
    for (const provider of ['provider_a', 'provider_b']) {
      expect(await getItem(keys.orderClient(provider, 'oi-of-one'))).toMatchObject({ mid, enabled: true });
    }
  });

  it('is listed by its number, the newest first, also without a site, and to administrators alone', async () => {
    const made: number[] = [];
    for (const name of ['First', 'Second', 'Third'])
      made.push(
        (await readBody<{ mid: number }>(ask('merchants/create-merchant', { body: { name, alerts: true } }))).mid,
      );
    const list = (body: object) => ask('merchants/list-merchants', { as: 'admin', body });
    const page = await list({ size: 2 });
    expect(page.body).toMatchObject({
      list: [{ mid: made[2], name: 'Third', alerts: true, payments: false }, { mid: made[1] }],
      next_before: made[1],
    });
    expect((await list({ size: 1, before: made[1] })).body).toMatchObject({ list: [{ mid: made[0], name: 'First' }] });
    expect((await list({ size: 1, before: 1 })).body).toEqual({ list: [], next_before: null });
    expect((await ask('merchants/list-merchants', { as: { mid: made[0] ?? 0 }, body: {} })).status).toBe(403);
  });

  it('has no name there if it gives none', async () => {
    const { mid } = await readBody<{ mid: number }>(
      ask('merchants/create-merchant', { body: { ...body, oi_merchant_id: '' } }),
    );
    expect((await ask('merchants/merchant-details', { params: { mid } })).status).toBe(200);
  });

  it('gets the next number, also when many are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, () =>
        readBody<{ mid: number }>(ask('merchants/create-merchant', { body: { name: 'One of many' } })),
      ),
    );
    const numbers = made.map(({ mid }) => mid).sort((left, right) => left - right);
    const first = numbers[0] ?? 0;
    expect(numbers).toEqual(Array.from({ length: 10 }, (_, index) => first + index));
  });

  it('is made by an administrator only', async () => {
    expect(await ask('merchants/create-merchant', { as: { mid: 1 }, body })).toMatchObject({ status: 403 });
    expect(await ask('merchants/create-merchant', { as: 'nobody', body })).toMatchObject({ status: 401 });
  });

  it.each([
    [{}, 'name: is required'],
    [{ name: '' }, 'name: must not be empty'],
    [{ name: 'Of 4111111111111111' }, 'name: must not hold a card number'],
    [{ name: 'x', remarks: 'Paid with 4111 1111 1111 1111' }, 'remarks: must not hold a card number'],
    [{ name: 'x', payments: 'perhaps' }, 'payments: must be true or false'],
    [{ name: 'x', themeid: 999_999 }, 'themeid: must be an id of /api/v3/datasource/theme'],
    [{ name: 'x', oi_merchant_id: '4111111111111111' }, 'oi_merchant_id: must not hold a card number'],
    [{ name: 'x', themeid: 1.5 }, 'themeid: must be a whole number from 0 to 2147483647'],
  ])('is refused with %j', async (wrong, details) =>
    expect(await ask('merchants/create-merchant', { body: wrong })).toMatchObject({ status: 400, body: { details } }),
  );
});

describe('a retailer', () => {
  it('is shown as it was created', async () => {
    const { mid, as } = await newTenant();
    const body = {
      name: 'Retailer',
      currency: 'EUR',
      margin_percentage: 2.5,
      contact_email: 'a@shop.example',
      remarks: 'r',
      description: 'd',
    };
    const { rid } = await readBody<{ rid: number }>(ask('merchants/create-retailer', { as, params: { mid }, body }));
    expect(await ask('merchants/retailer-details', { as, params: { rid } })).toMatchObject({
      status: 200,
      body: { ...body, rid, mid, merchant_name: 'A merchant' },
    });
  });

  it.each([
    [{ name: 'x', currency: 'EURO' }, 'currency: must be a currency code of ISO 4217, such as USD'],
    [{ name: 'x', description: '4111111111111111' }, 'description: must not hold a card number'],
    [{ name: 'x', margin_percentage: 101 }, 'margin_percentage: must be a percentage'],
    [{ name: 'x', margin_percentage: '1e1' }, 'margin_percentage: must be a percentage'],
    [{ name: 'x', contact_email: 'a@b.example\r\nBcc: c@d.example' }, 'contact_email: must be an e-mail address'],
  ])('is refused with %j', async (body, details) => {
    const answer = await ask('merchants/create-retailer', { params: { mid: 1 }, body });
    expect(answer).toMatchObject({ status: 400, body: { details: expect.stringContaining(details) } });
  });

  it('needs a merchant there is', async () =>
    expect(await ask('merchants/create-retailer', { params: { mid: 999_999 }, body: { name: 'x' } })).toMatchObject({
      status: 404,
      body: { msg: 'No such merchant' },
    }));
});

describe('a site', () => {
  it('answers its secrets when it is created, and never again', async () => {
    const { sid, rcode, signing_secret, as } = await newTenant();
    expect(rcode).toMatch(/^[0-9a-z]{32}$/);
    expect(signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const details = await ask('merchants/site-details', { as, params: { sid } });
    expect(details).toMatchObject({ status: 200, body: { sid, type: null, settings: null } });
    const stored = JSON.stringify([await getSite(sid), await getItem(keys.rcode(sha256(rcode))), details]);
    expect(stored).not.toContain(rcode);
    expect(stored).not.toContain(signing_secret.slice('whsec_'.length));
  });

  it('is found by its rcode, and keeps both secrets so that they can be used', async () => {
    const { sid, mid, rid, rcode, signing_secret } = await newTenant();
    expect(fromRcodeItem(await getItem(keys.rcode(sha256(rcode))), at)).toEqual({
      sid,
      mid,
      rid,
      validUntil: null,
      statusUpdates: false,
    });
    const site = await getSite(sid);
    expect(site && (await openSecrets(site, at))).toEqual({
      rcodes: [rcode],
      signingSecrets: [signing_secret],
      chatUrls: { slack: null, teams: null },
      token: null,
    });
  });

  it('is shown as it was created', async () => {
    const site = {
      name: 'Shop',
      reseller_id: 1,
      url: 'https://shop.example/path?a=1',
      remarks: 'r',
      description: 'd',
      currency: 'JPY',
      support_group: 2,
      cat_id: 3,
    };
    const { sid, mid, rid } = await newTenant({ site });
    expect(await ask('merchants/site-details', { params: { sid } })).toMatchObject({
      body: { ...site, sid, mid, rid, merchant_name: 'A merchant', retailer_name: 'A retailer' },
    });
  });

  it("has its retailer's currency if it is given none", async () => {
    const { sid } = await newTenant({ retailer: { currency: 'SEK' } });
    expect(await ask('merchants/site-details', { params: { sid } })).toMatchObject({ body: { currency: 'SEK' } });
  });

  it.each(['javascript:alert(1)', 'ftp://shop.example', 'https://u:p@shop.example', 'two words', 'https://'])(
    'is refused with the url %j',
    async (url) => {
      const { mid, rid } = await newTenant();
      const answer = await ask('merchants/create-site', { params: { mid, rid }, body: { name: 'x', url } });
      expect(answer).toMatchObject({ status: 400, body: { details: 'url: must be a web address' } });
    },
  );

  it('needs a merchant there is, and a retailer of it', async () => {
    const [one, other] = [await newTenant(), await newTenant()];
    const create = (mid: number, rid: number) =>
      ask('merchants/create-site', { params: { mid, rid }, body: { name: 'x' } });
    expect(await create(999_999, one.rid)).toMatchObject({ status: 404, body: { msg: 'No such merchant' } });
    expect(await create(one.mid, 999_999)).toMatchObject({ status: 404, body: { msg: 'No such retailer' } });
    expect(await create(one.mid, other.rid)).toMatchObject({ status: 404, body: { msg: 'No such retailer' } });
  });
});

describe("another merchant's", () => {
  it.each([
    ['merchant', 'merchants/merchant-details', 'mid', undefined],
    ['retailer', 'merchants/retailer-details', 'rid', undefined],
    ['site', 'merchants/site-details', 'sid', undefined],
    ['merchant, for a new retailer,', 'merchants/create-retailer', 'mid', { name: 'x' }],
  ] as const)('%s answers exactly like one there is not', async (_name, operation, name, body) => {
    const [own, other] = [await newTenant(), await newTenant()];
    const theirs = await ask(operation, { as: own.as, params: { [name]: other[name] }, body });
    expect(theirs.status).toBe(404);
    expect(theirs).toEqual(await ask(operation, { as: own.as, params: { [name]: 999_999 }, body }));
  });

  it('retailer takes no site', async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    const create = (mid: number, rid: number) =>
      ask('merchants/create-site', { as: own.as, params: { mid, rid }, body: { name: 'x' } });
    expect(await create(other.mid, other.rid)).toEqual(await create(999_999, 999_999));
    expect(await create(own.mid, other.rid)).toEqual(await create(own.mid, 999_999));
    expect(await create(own.mid, own.rid)).toMatchObject({ status: 200 });
  });
});

it.each([
  'merchants/create-merchant',
  'merchants/merchant-details',
  'merchants/create-retailer',
  'merchants/retailer-details',
  'merchants/create-site',
])('%s declares what it does', expectDeclared);
