import { createHash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { makeRecord } from '#core/kernel/record-of.ts';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import type { DemoCredentials } from '#lib/local/demo/demo-tenant.ts';
import { fillSample, sampleValues } from '#lib/local/invoke/sample-event.ts';
import { respond, startReceiver } from '#test/support/hostile-receiver.ts';
import { useServer } from '#test/support/use-server.ts';

/** A stack that says what time it is and answers each order with the next number. */
const now = '2026-05-02T10:00:00.400Z';
let txid = 0;
const paid = (number: number) => ({
  status: 'OK',
  txid: number,
  next_action: { type: 'otp', channel: 'SMS', url: `http://stack.example/return/${number}?token=t${number}` },
});
const stack = await useServer(
  startReceiver((socket, request) => {
    respond(200, JSON.stringify(request.path === '/_local/status' ? { now } : paid(100 + ++txid)))(socket, request);
  }),
);
beforeEach(() => {
  txid = 0;
});

const user = { username: 'u', password: 'p' };
const site = { mid: 1, rid: 1, sid: 1, rcode: 'alert-rcode', signing_secret: 's' };
const credentials: DemoCredentials = {
  admin: user,
  merchant: user,
  site,
  payment_site: { ...site, sid: 2, rcode: 'payment-rcode' },
  three_ds_site: { ...site, sid: 2, rcode: 'payment-rcode' },
  providers: makeRecord(signingProviderNames, (name) => name),
};
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const fill = (text: string) => fillSample(text, sampleValues(new URL(stack.url).origin, credentials));

it('knows the demo payment site and how its calls are hashed', async () => {
  const event = await fill(
    '{"sid":{{payment_sid}},"rcode":"{{payment_rcode}}","timestamp":{{now_seconds}},"hash":"{{order_hash}}","site":"{{site_hash}}","capture":"{{capture_hash}}"}',
  );
  const { timestamp } = event as { timestamp: number };
  expect(timestamp).toBeGreaterThanOrEqual(1777716000);
  expect(event).toEqual({
    sid: 2,
    rcode: 'payment-rcode',
    timestamp,
    hash: md5(`2${timestamp}10.00USDpayment-rcode`),
    site: md5('2payment-rcode'),
    capture: md5('210.00payment-rcode'),
  });
});

it('signs no two orders with the same timestamp', async () => {
  const [one, other] = [await fill('{"at":{{now_seconds}}}'), await fill('{"at":{{now_seconds}}}')];
  expect(one).not.toEqual(other);
});

it('knows the link of a payment that waits for a code', async () => {
  expect(await fill('{"txid":"{{otp_txid}}","token":"{{otp_token}}"}')).toEqual({ txid: '101', token: 't101' });
});

it.each([
  ['txid', 'PAYMENT', '10.00'],
  ['preauth_txid', 'PREAUTH', '10.00'],
  ['otp_txid', 'PAYMENT', '10.64'],
])('makes a transaction for {{%s}}, once: a %s of %s', async (name, action, total) => {
  expect(await fill(`{"txid":"{{${name}}}","again":{{${name}}}}`)).toEqual({ txid: '101', again: 101 });
  const { method, path, headers, body } = stack.requests.at(-1) ?? { body: '' };
  expect([method, path]).toEqual(['POST', '/api/v1/index.php/2/singletx']);
  expect(headers?.['content-type']).toMatch(/^application\/x-www-form-urlencoded(;|$)/);
  const form = new URLSearchParams(body);
  expect(Object.fromEntries(form)).toMatchObject({
    hash: md5(`2${form.get('timestamp')}${total}USDpayment-rcode`),
    tx_action: action,
    'item_quantity[]': '1',
    'item_amount_unit[]': total,
    card_no: '4242424242424242',
    card_exp_year: '2028',
    postback_url: expect.stringMatching(/\/_local\/sink\/payments$/),
  });
});
