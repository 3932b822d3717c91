import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { passesLuhn } from '#core/kernel/card/luhn.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { callsDuring } from '#test/disputes/alerts/seed.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { newShop, orderBody } from './shop.ts';
import { useSandbox } from './support.ts';

/**
 * A call without an rcode has nothing checked that costs more than a few fields. Counted is how often digits are tried for a card
 * number: it grows with all that a caller can send.
 */

vi.mock('#core/kernel/card/luhn.ts', async (original) => {
  const { passesLuhn: tried } = await original<typeof import('#core/kernel/card/luhn.ts')>();
  return { passesLuhn: vi.fn(tried) };
});

useOperations();
useSandbox();

const tries = () => vi.mocked(passesLuhn).mock.calls.length;
let shop: Tenant;
beforeAll(async () => {
  shop = await newShop();
});
beforeEach(() => {
  vi.mocked(passesLuhn).mockClear();
});

/** Every window of so many digits must be tried for a card number. */
const digits = (length: number) => 'https://shop.example/'.padEnd(length, '4111 4242 '.replaceAll(' ', '/'));
const dear = {
  postback_url: digits(2040),
  return_url: digits(2040),
  reference: '4111 4242 '.repeat(9),
  ref1: '4111 4242 '.repeat(9),
  device_info: JSON.stringify({ user_agent: '4111 4242 '.repeat(600) }),
  firstname: '4111 4242 '.repeat(9),
};
const unsigned = { hash: 'f'.repeat(32) };

const asked = async (operation: string, body: Record<string, unknown>) => {
  const { status } = await ask(operation, { params: { id: shop.sid }, body });
  const count = tries();
  vi.mocked(passesLuhn).mockClear();
  return { status, count };
};
const payee = ({ item_name, item_amount_unit, tx_action, card_type, ...body }: Record<string, unknown>) => ({
  amount: '10.00',
  ...body,
});

const screened = [
  ['singletx', 'transactions/singletx', (body: Record<string, unknown>) => body],
  ['convertnpay', 'transactions/convertnpay', (body: Record<string, unknown>) => body],
  ['fraudcheck', 'fraud/fraudcheck', (body: Record<string, unknown>) => body],
  ['payout', 'transactions/payout', payee],
  [
    'getpaymentoptionsfrombin',
    'pricing/bin-payment-options',
    (body: Record<string, unknown>) => ({ ...body, BIN: '424242' }),
  ],
] as const;

describe('a caller who has not signed', () => {
  it.each(screened)('has a large body of %s cost no more than a small one', async (_, operation, shaped) => {
    const cheap = await asked(operation, shaped({ ...orderBody(shop, '10.00'), ...unsigned }));
    const large = await asked(operation, shaped({ ...orderBody(shop, '10.00'), ...dear, ...unsigned }));
    expect([cheap.status, large.status]).toEqual([401, 401]);
    expect(large.count).toBeLessThanOrEqual(cheap.count);
    const many = { item_name: Array(200).fill('4111 4242 '.repeat(19)), item_amount_unit: Array(200).fill('0.05') };
    const cart = await asked(operation, shaped({ ...orderBody(shop, '10.00'), ...dear, ...many, ...unsigned }));
    expect(cart.status).toBe(401);
    expect(cart.count).toBeLessThanOrEqual(cheap.count);
  });

  it.each(screened)(
    'is told so by %s before what is wrong with the rest of a large body',
    async (_, operation, shaped) => {
      const wrong = { item_description: [['x'.repeat(3000)]], phone: ['x'.repeat(2000)] };
      const signed = shaped({ ...orderBody(shop, '10.00'), ...wrong });
      expect((await asked(operation, signed)).status).toBe(400);
      expect((await asked(operation, { ...signed, ...unsigned })).status).toBe(401);
    },
  );

  it('gets the same answer from feeapi, whatever is in the cart', async () => {
    const item = { item_desc: '4111 4242 '.repeat(90), amount_unit: 'x', quantity: 'y' };
    const body = { sid: shop.sid, rcode: 'wrong', cart: Array.from({ length: 20 }, () => item) };
    expect(await ask('pricing/fee-quote', { body })).toMatchObject({ status: 401 });
    expect(tries()).toBe(0);
  });
});

describe('a caller who has signed', () => {
  it('has the whole body checked, at the cost of one more call to the table', async () => {
    const small = await asked(
      'transactions/singletx',
      orderBody(shop, '10.00', { postback_url: 'https://shop.example/p' }),
    );
    const large = await asked('transactions/singletx', orderBody(shop, '10.00', dear));
    expect([small.status, large.status]).toEqual([200, 200]);
    expect(large.count).toBeGreaterThan(100 + small.count);
    const calls = await callsDuring(() => asked('transactions/singletx', orderBody(shop, '10.00')));
    expect(await callsDuring(() => asked('transactions/singletx', orderBody(shop, '10.00', dear)))).toBe(calls + 1);
  });

  it('gets the problem of the signature before any other', async () => {
    const body = orderBody(shop, '10.00', { ...dear, item_amount_unit: ['10,00'] });
    expect(await ask('transactions/singletx', { params: { id: shop.sid }, body })).toMatchObject({
      status: 400,
      body: { error_msg: expect.stringMatching(/^item_amount_unit\.0: /) },
    });
  });
});
