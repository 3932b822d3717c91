import { expect, it } from 'vitest';
import { orderHash } from '#payments/payments/order/hashes.ts';
import { ownTimestamp } from '#test/payments/transactions/shop.ts';
import { useStack } from '#test/support/stack.ts';

const service = await useStack({ startTime: '2026-05-02T10:00:00Z' });

const seconds = (): string => ownTimestamp(service.clock.now().getTime());

type Method = {
  paymethod: string;
  fxrate: string;
  amount_purchase: number;
  amount_shipping: number;
  amount_total: number;
  cart: { item_desc: string; amount: number; amount_fee: number }[];
};

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const sendForm = async (path: string, fields: Record<string, string | string[]>) => {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
  return service.call(path, { body: body.toString(), headers: form });
};

const setUp = async (): Promise<void> => {
  const { payment_site: site } = service.credentials;
  const token = await service.tokenOf('admin');
  const rate = { from: 'GBP', to: 'USD', rate: '1.2537', source: 'a test' };
  const fees = [{ paymethod: 'VISA', percentage: '2.9', fixed: '0.30', currency: 'USD' }];
  expect(await service.call('/api/v3/pricing/rate/set', { token, body: rate })).toMatchObject({ status: 200 });
  expect(await service.call(`/api/v3/site/${site.sid}/fees`, { token, body: { fees } })).toMatchObject({ status: 200 });
};

const askQuote = async (): Promise<Method> => {
  const { sid, rcode } = service.credentials.payment_site;
  const { status, body } = await sendForm('/soap/feeapi.php', {
    sid: String(sid),
    rcode,
    currency_code: '826',
    country: 'GB',
    addfee: 'true',
    amount_purchase: '34.96',
    amount_shipping: '4.99',
    amount_coupon: '0.00',
    amount_tax: '0.00',
    fxrate_posted: '1.25',
    'summary[]': 'x',
    'items[]': 'x',
    'cart[0][item_desc]': 'Tea',
    'cart[0][amount_unit]': '9.99',
    'cart[0][quantity]': '2',
    'cart[1][item_desc]': 'A cup',
    'cart[1][amount_unit]': '3.33',
    'cart[1][quantity]': '3',
  });
  expect({ status, error: body['error_msg'] }).toEqual({ status: 200, error: undefined });
  const [visa] = body['paymentmethods'] as Method[];
  return visa ?? expect.fail('no method');
};

const pay = (
  operation: 'singletx' | 'convertnpay',
  total: string,
  currency: string,
  cart: Record<string, string[]>,
) => {
  const { sid, rcode } = service.credentials.payment_site;
  const timestamp = seconds();
  return sendForm(`/api/v1/index.php/${sid}/${operation}`, {
    hash: orderHash({ sid, timestamp, total, currency }, rcode),
    timestamp,
    ...cart,
    amount_shipping: cart['shipping'] ?? [],
    card_type: 'VISA',
    card_no: '4242424242424242',
    card_ccv: '123',
    card_exp_month: '12',
    card_exp_year: '2030',
    firstname: 'Ada',
    lastname: 'Example',
    email: 'ada@example.com',
    currency,
    tx_action: 'PAYMENT',
    postback_url: service.sinks.url('payments'),
  });
};

it('a payer pays what the quote says, to the cent, whether the shop converts or has it converted', async () => {
  await setUp();
  const quoted = await askQuote();
  // 34.96 × 1.2537 = 43.829…; 2.9 % of 43.83 and 0.30 are 1.57.
  expect(quoted).toMatchObject({ paymethod: 'VISA', fxrate: '1.2537', amount_purchase: 43.83, amount_total: 45.4 });

  const lines = quoted.cart.flatMap(({ item_desc, amount, amount_fee }) => [
    [item_desc, amount.toFixed(2)],
    [`${item_desc}: fee`, amount_fee.toFixed(2)],
  ]);
  const single = await pay('singletx', '45.40', 'USD', {
    'item_name[]': lines.map(([name = '']) => name),
    'item_amount_unit[]': lines.map(([, amount = '']) => amount),
    shipping: [String(quoted.amount_shipping)],
  });
  expect(single.body).toMatchObject({ status: 'OK', amount: 45.4, currency: 'USD' });

  const converted = await pay('convertnpay', '34.96', 'GBP', {
    'item_name[]': ['Tea', 'A cup'],
    'item_amount_unit[]': ['9.99', '3.33'],
    'item_quantity[]': ['2', '3'],
    shipping: ['4.99'],
  });
  expect(converted.body).toMatchObject({ status: 'OK', amount: 43.83, currency: 'USD' });
  expect(service.problems).toEqual([]);
});

it('payment options are offered under the site, for a card by its first digits too', async () => {
  const { sid, rcode } = service.credentials.payment_site;
  const path = `/api/v1/index.php/${sid}`;
  const options = await service.call(`${path}/getpaymentoptions`, { body: { rcode, currency: 'JPY' } });
  expect(options.status).toBe(200);
  expect(JSON.parse(options.text)).toHaveLength(7);
  const vendor = await service.call(`${path}/getvendorpaymentoptions`, { body: { rcode, country: 'GB' } });
  expect(JSON.parse(vendor.text)).toHaveLength(7);
  const timestamp = seconds();
  const byBin = await service.call(`${path}/getpaymentoptionsfrombin`, {
    body: {
      hash: orderHash({ sid, timestamp, total: '19.98', currency: 'USD' }, rcode),
      timestamp,
      BIN: '378282',
      item_quantity: [2],
      item_name: ['Tea'],
      item_amount_unit: [9.99],
    },
  });
  expect(JSON.parse(byBin.text)).toMatchObject([{ paymethod: 'AMEX', currency: 'USD' }]);
});

it('no log line of it shows an rcode', () => {
  const { rcode } = service.credentials.payment_site;
  const lines = service.invocations.flatMap(({ logs }) => logs);
  expect(lines.filter((line) => line.includes('"pricing/'))).toHaveLength(6);
  expect(lines.filter((line) => line.includes(rcode))).toEqual([]);
});
