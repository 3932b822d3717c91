import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { listTerms, lookUpOf } from '#disputes/alerts/search/alert-search.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';
import { fresh, seedClaims, seedSite, take } from './seed.ts';

useOperations();
let time = Date.parse('2026-05-02T10:00:00.000Z');
afterEach(() => setClock());
afterAll(() => setClock());

type Fields = Record<string, unknown>;
type Page = { list: (Fields & { id: number })[]; totalResult: number };

const informedSite = async (change: Parameters<typeof seedSite>[0] = {}) => {
  const site = await seedSite(change);
  const prefix = `SHOP${site.sid}`;
  await seedClaims('provider_a', 'PREFIX', prefix, site);
  await seedClaims('provider_b', 'PREFIX', prefix, site);
  const inform = async (sent: Fields = {}) => {
    time += 60_000;
    setClock(() => time);
    const { merchantDescriptor = '', ...rest } = sent;
    const taken = await take('provider_a', {
      alertId: `I${fresh()}`,
      type: 'FRAUD_NOTICE',
      merchantDescriptor: `${prefix}*${merchantDescriptor}`,
      ...rest,
    });
    return taken.alert_id;
  };
  return { site, prefix, inform, as: { mid: site.mid } };
};
const search = async (as: As, body: Fields = {}) => {
  const answer = await ask('alerts/list-inform-alerts', { as, body });
  expect(answer.status).toBe(200);
  return answer.body as Page;
};
const ids = ({ list }: Page) => list.map(({ id }) => id);

describe('POST /api/v3/service_alerts/informalerts', () => {
  it('lists informational alerts only, with every field of the interface', async () => {
    const { site, prefix, inform, as } = await informedSite();
    await inform({ type: 'CUSTOMER_DISPUTE' });
    const fraud = await inform({ merchantDescriptor: 'BERLIN' });
    const receivedAt = new Date(time).toISOString();
    const dispute = (
      await take('provider_b', { caseId: `B${fresh()}`, caseType: 'DISPUTE_NOTICE', descriptor: `${prefix} PARIS` })
    ).alert_id;
    const page = await search(as);
    expect(ids(page)).toEqual([dispute, fraud]);
    expect(page.totalResult).toBe(2);
    expect(page.list[1]).toEqual({
      id: fraud,
      alertdate: receivedAt,
      descriptor: `${prefix}*BERLIN`,
      transaction_date: '2026-04-30T08:15:00.000Z',
      transaction_currency: 'USD',
      transaction_amount: '361.56',
      cardnumber: '411111xxxxxx1111',
      providername: 'provider_a',
      provider_caseid: expect.any(String),
      arn: expect.any(String),
      authcode: '387373',
      alert_type: 'FRAUD_NOTICE',
      partnerid: '',
      retailername: site.retailerName,
      sitename: site.name,
      issuername: 'First Bank',
      source: 'provider',
      chargeback_proceeded: 'no',
      is_duplicate: 'no',
      duplicate_alertid: null,
      matched_descriptor: prefix,
      merchantname: site.merchantName,
    });
  });

  it('finds by each field', async () => {
    const { prefix, inform, as } = await informedSite();
    const one = await inform({
      merchantDescriptor: 'Berlin Mitte 12',
      cardBin: '423234',
      cardLast4: '3773',
      amount: { value: '10.50', currencyCode: 'USD' },
    });
    const other = await inform({ merchantDescriptor: 'Paris', amount: { value: '40.00', currencyCode: 'EUR' } });
    const by = async (field: string, keyword: string | number) => ids(await search(as, { field, keyword }));
    expect(await by('descriptor', prefix)).toEqual([other, one]);
    expect(await by('descriptor', `${prefix}*berlin mitte 12`)).toEqual([one]);
    expect(await by('descriptor', 'mitte')).toEqual([one]);
    expect(await by('descriptor', 'BERLIN-MITTE')).toEqual([one]);
    expect(await by('descriptor', 'mitte berlin')).toEqual([]);
    expect(await by('card_number', '423234')).toEqual([one]);
    expect(await by('card_number', '3773')).toEqual([one]);
    expect(await by('card_number', '423234xxxxxx3773')).toEqual([one]);
    expect(await by('card_number', '4232 3411 1111 3773')).toEqual([one]);
    expect(await by('transaction_amount', '10.5')).toEqual([one]);
    expect(await by('transaction_amount', 40)).toEqual([other]);
    expect(await by('alert_type', 'FRAUD_NOTICE')).toEqual([other, one]);
    expect(await by('alert_type', 'DISPUTE_NOTICE')).toEqual([]);
    expect(await by('alert_type', 'FRAUD')).toEqual([]);
    expect(await by('alert_id', one)).toEqual([one]);
    expect(await by('alert_id', one + 1)).toEqual([]);
    expect(await by('descriptor', '')).toEqual([other, one]);
  });

  it('finds by merchants, retailers, sites and resellers, alone and together with a keyword', async () => {
    const [one, other] = [
      await informedSite({ profile: { reseller_id: 901 } }),
      await informedSite({ profile: { reseller_id: 902 } }),
    ];
    const [a, b] = [
      await one.inform({ merchantDescriptor: 'ROME' }),
      await other.inform({ merchantDescriptor: 'ROME' }),
    ];
    const by = async (fields: Fields) => ids(await search('admin', fields));
    expect(await by({ mid: [one.site.mid, other.site.mid] })).toEqual([b, a]);
    expect(await by({ rid: [String(one.site.rid)] })).toEqual([a]);
    expect(await by({ sid: [one.site.sid, other.site.sid], mid: [other.site.mid] })).toEqual([b]);
    expect(await by({ reseller: [901, 902] })).toEqual([b, a]);
    expect(await by({ reseller: 901, field: 'descriptor', keyword: 'rome' })).toEqual([a]);
    expect(await by({ reseller: 902, field: 'alert_id', keyword: a })).toEqual([]);
    expect(await by({ reseller: 901, field: 'alert_id', keyword: a })).toEqual([a]);
    expect(await by({ reseller: 901, sid: [other.site.sid] })).toEqual([]);
    expect((await search('admin', { reseller: 901 })).list[0]).toMatchObject({ partnerid: '901' });
  });

  it("shows nothing of another merchant's, as of what there is not", async () => {
    const [own, other] = [await informedSite(), await informedSite()];
    const theirs = await other.inform();
    const nothing = { list: [], totalResult: 0 };
    for (const name of ['mid', 'rid', 'sid'] as const) {
      expect(await search(own.as, { [name]: [other.site[name]] })).toEqual(nothing);
      expect(await search(own.as, { [name]: [999_999] })).toEqual(nothing);
    }
    expect(await search(own.as, { field: 'alert_id', keyword: theirs })).toEqual(nothing);
    expect(await search(own.as, { field: 'descriptor', keyword: other.prefix })).toEqual(nothing);
    expect(await search(other.as, { field: 'alert_id', keyword: theirs })).toMatchObject({ totalResult: 1 });
    expect(await ask('alerts/list-inform-alerts', { as: 'nobody', body: {} })).toMatchObject({ status: 401 });
  });

  it('takes days as days of UTC, both included, for a list and for one alert', async () => {
    const { inform, as } = await informedSite();
    time = Date.parse('2026-06-01T23:58:30.000Z');
    const [late, next] = [await inform(), await inform()];
    const by = async (date_from: string | undefined, date_to: string | undefined) =>
      ids(await search(as, { date_from, date_to }));
    expect(await by('2026-06-01', '2026-06-01')).toEqual([late]);
    expect(await by('2026-06-02', undefined)).toEqual([next]);
    expect(await by(undefined, '2026-06-02')).toEqual([next, late]);
    const one = { field: 'alert_id', keyword: late };
    expect(ids(await search(as, { ...one, date_to: '2026-06-01' }))).toEqual([late]);
    expect(ids(await search(as, { ...one, date_from: '2026-06-02' }))).toEqual([]);
  });

  it('gives pages in either order, as JSON and as a form', async () => {
    const { site, inform, as } = await informedSite();
    const made: number[] = [];
    for (let n = 0; n < 5; n += 1) made.push(await inform());
    expect(ids(await search(as, { order: 'ASC', size: 2, page: 2 }))).toEqual(made.slice(2, 4));
    expect(ids(await search(as, { size: '2', page: '3' }))).toEqual(made.slice(0, 1));
    const form = new URLSearchParams(`sid[]=${site.sid}&order=ASC&size=3&page=1&field=alert_type&keyword=FRAUD_NOTICE`);
    const { body } = await ask('alerts/list-inform-alerts', { as, body: form });
    expect(ids(body as Page)).toEqual(made.slice(0, 3));
  });

  it('finds an alert that its provider changed by what it is now, and by nothing that it was', async () => {
    const { prefix, as } = await informedSite({ profile: { reseller_id: 17 } });
    const sent = {
      ...{ caseId: `B${fresh()}`, caseType: 'FRAUD_NOTICE', descriptor: prefix },
      ...{ transactionAmount: '25.00', transactionCurrency: 'USD' },
    };
    const { alert_id } = await take('provider_b', sent);
    const by = async (keyword: string, more: Fields = {}) =>
      ids(await search(as, { field: 'transaction_amount', keyword, ...more }));
    expect([await by('25'), await by('25', { reseller: 17 })]).toEqual([[alert_id], [alert_id]]);
    await take('provider_b', { ...sent, transactionAmount: '31.50' });
    expect([await by('31.50'), await by('31.50', { reseller: 17 })]).toEqual([[alert_id], [alert_id]]);
    expect([await by('25'), await by('25', { reseller: 17 })]).toEqual([[], []]);
    expect(ids(await search(as, { field: 'descriptor', keyword: prefix }))).toEqual([alert_id]);
  });

  it('has an alert of the inbox once it is assigned to a site', async () => {
    const site = await seedSite();
    const { alert_id } = await take('provider_a', {
      alertId: `I${fresh()}`,
      type: 'FRAUD_NOTICE',
      merchantDescriptor: 'NOBODYS SHOP',
    });
    const by = { field: 'descriptor', keyword: 'nobodys' };
    expect(ids(await search('admin', by))).toEqual([]);
    expect(await ask('alerts/assign-alert', { params: { alert_id }, body: { sid: site.sid } })).toMatchObject({
      status: 200,
    });
    expect(ids(await search({ mid: site.mid }, by))).toEqual([alert_id]);
  });

  it.each([
    [{ field: 'name', keyword: 'x' }, 'field: must be one of alert_id, descriptor'],
    [{ keyword: 'x' }, 'field: must be given with a keyword'],
    [{ field: 'card_number', keyword: '12345' }, 'keyword: must be the first 6 digits'],
    [{ field: 'transaction_amount', keyword: '1e3' }, 'keyword: must be a decimal'],
    [{ field: 'alert_type', keyword: 'NOTICE' }, 'keyword: must be one of DISPUTE'],
    [{ field: 'alert_id', keyword: 'x' }, 'keyword: must be an alert_id'],
    [{ field: 'descriptor', keyword: '***' }, 'keyword: must have letters or digits'],
    [{ size: 0 }, 'size: must be at least 1'],
    [{ page: 0 }, 'page: must be at least 1'],
    [{ date_from: '2026-13-01' }, 'date_from: '],
    [{ mid: ['x'] }, 'mid'],
  ])('refuses %j', async (body, details) =>
    expect(await ask('alerts/list-inform-alerts', { body })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining(details) },
    }),
  );

  it('reads every list there is', async () => {
    const { site, inform } = await informedSite();
    await inform();
    for (const fields of [{}, { field: 'alert_type', keyword: 'FRAUD_NOTICE' }]) {
      for (const owner of [{}, { mid: site.mid }, { rid: site.rid }, { sid: site.sid }]) {
        await search('admin', { ...fields, ...owner });
      }
    }
  });
});

describe('the terms of an alert', () => {
  const word = fc.stringMatching(/^[A-Z0-9]{1,6}$/);

  it('are those by which each of its runs of words is looked up', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(5), fc.nat(5), (words, from, length) => {
        const terms = listTerms({ descriptor: words.join('*'), card: '', amount: '1' });
        const run = words.slice(from % words.length).slice(0, 1 + (length % words.length));
        const found = lookUpOf('descriptor', run.join('  ').toLowerCase());
        expect(typeof found === 'object' && 'term' in found && terms.includes(found.term)).toBe(true);
      }),
    );
  });

  it('are few, and none comes twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (descriptor) => {
        const terms = listTerms({ descriptor, card: '411111xxxxxx1111', amount: '10.00' });
        expect(terms.length).toBeLessThanOrEqual(28);
        expect(new Set(terms).size).toBe(terms.length);
      }),
    );
  });
});

it.each(['alerts/list-inform-alerts'])('%s declares what it does', expectDeclared);
