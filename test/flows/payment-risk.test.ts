import { beforeAll, describe, expect, it } from 'vitest';
import { visaNumbers } from '#test/payments/threeds/contract.ts';
import { authenticateOverHttp } from '#test/support/authentications.ts';
import { expectNoErrors } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { openShop, type Shop } from '#test/support/storefront.ts';

/** The services around a payment: fraud checks, other currencies, payouts and the balance, the search by card. */
const service = await useStack({ startTime: '2026-05-02T10:00:00Z' });
const admin = await service.tokenOf('admin');

const asAdmin = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const reply = await service.call(`/api/v3${path}`, { token: admin, body });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body;
};
/** A shop with a payment site of its own. */
const newShop = async (payment: object): Promise<Shop> => {
  const { mid, rid } = service.credentials.payment_site;
  const made = await asAdmin(`/site/mid/${mid}/rid/${rid}/create`, { name: 'Another shop', currency: 'USD' });
  const sid = Number(made['sid']);
  await asAdmin(`/site/mid/${mid}/rid/${rid}/sid/${sid}/payment`, payment);
  return openShop(service, { sid, rcode: String(made['rcode']) });
};

describe('a fraud template', () => {
  let shop: Shop;
  let ftid: number;
  beforeAll(async () => {
    const above = (value: number, decision: string) => ({
      name: `Above ${value}`,
      conditions: { all: [{ fact: 'amount', operator: 'greaterThan', value, params: { currency: 'USD' } }] },
      effect: { decision },
    });
    const rules = [above(100, 'REVIEW'), above(500, '3DS'), above(1000, 'REJECT')];
    const added = await asAdmin('/datasource/fraudtemplate/add', { name: 'By amount', scorer: 'none', rules });
    ftid = Number(added['id']);
    shop = await newShop({ ftid });
  });

  it.each([
    ['50.00', { status: 'OK', fraud: { score: 0, decision: 'ACCEPT' } }],
    ['150.00', { status: 'OK', fraud: { score: 0, decision: 'REVIEW' } }],
    ['1500.00', { status: 'EXC', error_code: 'fraud_rejected', fraud: { score: 0, decision: 'REJECT' } }],
  ])('decides a payment of %s', async (amount, expected) => {
    const paid = await shop.pay(amount);
    expect(paid).toMatchObject(expected);
    expect(await shop.postbacks(paid.txid)).toMatchObject([expected]);
  });

  it('sends the payer of 550.00 to their issuer, and charges once they have come through', async () => {
    const pending = await shop.pay('550.00');
    expect(pending).toMatchObject({ status: 'PEND', next_action: { type: 'redirect' } });
    const body = new URLSearchParams({ answer: 'approve' });
    expect((await fetch(pending.next_action?.url ?? '', { method: 'POST', body })).status).toBe(200);
    await service.untilIdle();
    expect(await shop.postbacks(pending.txid)).toMatchObject([{ status: 'OK' }]);
  });

  it('lets a payment go on that was authenticated here, by its number alone', async () => {
    const { three_ds_site } = service.credentials;
    const card_no = visaNumbers[2103];
    const authentication_id = await authenticateOverHttp(service, three_ds_site, card_no, {
      ...{ amount: '551.00', currency: 'USD' },
    });
    const threeDSecure = JSON.stringify({ authentication_id });
    const paid = await shop.pay('551.00', { card_no, threeDSecure }, 'form');
    const three_ds = { source: 'verified', authentication_id, outcome: 'authenticated', liability_shift: true };
    expect(paid).toMatchObject({ status: 'OK', fraud: { decision: '3DS' }, three_ds });
    expect(await shop.postbacks(paid.txid)).toMatchObject([{ status: 'OK', three_ds }]);
    expect(await shop.send(`${shop.path}/singletx`, shop.orderOf('551.00', { card_no, threeDSecure }))).toMatchObject({
      ...{ status: 409, body: { error_code: 'authentication_mismatch' } },
    });
  });

  it('knows the country of a test card from the table of BINs, next to that of the payer', async () => {
    const conditions = { all: [{ fact: 'bin_country_differs', operator: 'equal', value: true }] };
    const rules = [{ name: 'Foreign card', conditions, effect: { decision: 'REJECT' } }];
    const added = await asAdmin('/datasource/fraudtemplate/add', { name: 'By country', scorer: 'none', rules });
    const other = await newShop({ ftid: Number(added['id']) });
    const german = { card_no: '4000002760000016' };
    expect(await other.pay('1.00', { country: 'US', ...german })).toMatchObject({
      status: 'EXC',
      error_code: 'fraud_rejected',
    });
    expect(await other.pay('1.01', { country: 'DE', ...german })).toMatchObject({ status: 'OK' });
    expect(await other.pay('1.02', { country: 'US' })).toMatchObject({ status: 'OK' });
    const { body } = await other.send(`${other.path}/fraudcheck`, other.orderOf('1.03', { country: 'FR' }), 'json');
    expect(body).toMatchObject({ decision: 'REJECT', reasons: ['Foreign card (REJECT)'] });
  });
});

it('goes by without a complaint of the stack or an error of a function', () => expectNoErrors(service));
