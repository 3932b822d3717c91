import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { searchBraintree } from '#payments/processors/braintree/braintree-exchange-client.ts';
import {
  checkoutComDisputes,
  listCheckoutComDisputes,
} from '#payments/processors/checkout-com/checkout-com-disputes-client.ts';
import { askCheckout } from '#payments/processors/checkout-com/checkout-com-exchange-client.ts';
import { httpDisputes } from '#payments/processors/http/http-disputes-client.ts';
import { listPayPalDisputes, payPalDisputes } from '#payments/processors/paypal/paypal-disputes-client.ts';
import { askPayPal } from '#payments/processors/paypal/paypal-exchange-client.ts';
import type { DisputesAnswer } from '#payments/processors/ports/dispute.ts';
import { readNewestPart } from '#payments/processors/ports/dispute-parts.ts';
import { startFakeCheckoutCom } from '#test/support/fake-checkout-com.ts';
import { startFakePayPal } from '#test/support/fake-paypal.ts';
import { useServer } from '#test/support/use-server.ts';

/** Lists of disputes that are longer than what is read at once: each part says where the rest ends, until all were read. */

const checkoutCom = await useServer(startFakeCheckoutCom());
const payPal = await useServer(startFakePayPal());

type Since = ((from: string, before?: string) => Promise<DisputesAnswer>) | undefined;
/** Reads parts until there is no more; returns the references and the number of parts. */
const readAll = async (since: Since, from: string): Promise<{ references: Set<string>; parts: number }> => {
  const references = new Set<string>();
  let before: string | undefined;
  for (let parts = 1; parts < 40; parts += 1) {
    const answer = await since?.(from, before);
    if (!answer || 'unknown' in answer) throw new Error(answer?.unknown ?? 'no list');
    for (const { reference } of answer.found) references.add(reference);
    if (answer.before === undefined) return { references, parts };
    expect(answer.before < (before ?? '9')).toBe(true);
    before = answer.before;
  }
  throw new Error('it does not end');
};
const [days, count] = [30, 2600];
const from = () => iso(nowMilliseconds() - (days + 1) * milliseconds.day);
const times = () =>
  Array.from({ length: count }, (_, index) => nowMilliseconds() - (index / count) * days * milliseconds.day);

it('reads more disputes of Checkout.com than it lists at once', async () => {
  const { id } = checkoutCom.payment({ minor: 1040 });
  for (const at of times()) checkoutCom.dispute(id).at = at;
  const port = checkoutComDisputes(
    askCheckout({ secret_key: checkoutCom.secretKey, base_url: checkoutCom.url } as never),
  );
  const { references, parts } = await readAll(port.since, from());
  expect([references.size, parts > 1]).toEqual([count, true]);
});

it('reads more disputes of PayPal than it lists at once', async () => {
  const { id } = payPal.capture({ minor: 1999 });
  for (const at of times()) payPal.dispute(id, { at });
  const keys = { client_id: payPal.clientId, client_secret: payPal.clientSecret, base_url: payPal.url };
  const { references, parts } = await readAll(payPalDisputes(askPayPal(keys as never)).since, from());
  expect([references.size, parts > 1]).toEqual([count, true]);
});

it('divides a period down to the least, which it reads completely', async () => {
  const asked: boolean[] = [];
  const answer = await readNewestPart(
    '2026-05-01T00:00:00.000Z',
    { before: '2026-05-09T00:00:00.000Z', least: milliseconds.day },
    async (period) => {
      asked.push(period.isLeast);
      return period.isLeast ? { found: [] } : 'more';
    },
  );
  expect([asked, answer]).toEqual([[false, false, false, true], { found: [], before: '2026-05-08T00:00:00.000Z' }]);
});

const page = (items: object) => async () => ({ status: 200, body: items });
const same = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ [name]: `D-${index}`, id: `dsp_${index}` }));
/** Every page of its lists has a next one, with the same cursor. */
const endless = async () => {
  const server = createServer((request, response) => {
    const pageInfo = { hasNextPage: true, endCursor: 'same' };
    const braintree = { data: { search: { disputes: { edges: [], pageInfo } } } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/graphql' ? braintree : { disputes: [], next_cursor: 'same' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.asyncDispose]: async () => void server.close() };
};
const repeating = await useServer(endless());
Object.assign(process.env, { ALLOW_LOOPBACK_HTTP: 'true' });
afterAll(() => void delete process.env['ALLOW_LOOPBACK_HTTP']);
const braintreeKeys = () =>
  ({ public_key: 'a', private_key: 'b', environment: 'test', base_url: repeating.url }) as const;

it('a last page that repeats what a list has moved to it is read as the end, at PayPal and Checkout.com', async () => {
  const paged = (key: string, items: readonly object[], size: number) => {
    const pages = [items.slice(0, size), items.slice(size - 1, size)];
    return async () => ({ status: 200, body: { [key]: pages.shift() } });
  };
  const disputes = await listPayPalDisputes(paged('items', same('dispute_id', 50), 50), {
    disputed_transaction_id: '1',
  });
  const charged = await listCheckoutComDisputes(paged('data', same('reference', 250), 250), { payment_id: 'pay_1' });
  expect(JSON.stringify([disputes, charged])).not.toContain('without end');
  expect([disputes, charged].map((answer) => 'found' in answer)).toEqual([true, true]);
});

it.each<[string, () => Promise<object> | undefined]>([
  ['PayPal', () => listPayPalDisputes(page({ items: same('dispute_id', 50) }), { disputed_transaction_id: '1' })],
  ['Checkout.com', () => listCheckoutComDisputes(page({ data: same('reference', 250) }), { payment_id: 'pay_1' })],
  ['Braintree', () => searchBraintree(braintreeKeys(), { document: 'disputes', input: {} })],
  ['a service of the merchant', () => httpDisputes({ base_url: repeating.url, secret: 'whsec_AAAA' }).since?.(from())],
])('a list of %s that repeats a page is not known, and not read without end', async (_, read) => {
  expect(JSON.stringify(await read())).toMatch(/^\{"un(?:known|asked)":".* repeats a page of its list/);
});
