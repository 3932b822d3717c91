import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wooShop } from '#disputes/history/orders/woocommerce-client.ts';
import { readWooOrder, readWooRefunds } from '#disputes/history/orders/woocommerce-order.ts';
import { startFakeServer } from '../../support/fake-processor.ts';

const order = {
  ...{ id: 7, number: '7', status: 'completed', currency: 'USD', customer_id: 0, transaction_id: 'ch_1', refunds: [] },
  ...{ date_created_gmt: '2026-05-02T10:00:00', date_modified_gmt: '2026-05-02T10:00:00' },
  ...{ date_paid_gmt: '2026-05-02T10:00:00', total: '10.00', total_tax: '0', shipping_total: '0', discount_total: '0' },
  line_items: [{ name: 'Mug', quantity: 1, subtotal: '10.00', sku: '' }],
};

describe('an order of WooCommerce', () => {
  it.each([
    ['Salt &amp; Pepper', 'Salt & Pepper'],
    ['Caf&#233; &#x2013; &ldquo;Bar&rdquo;', 'Café – “Bar”'],
    ['Mug <span class="size">large</span><br/>', 'Mug large'],
    ['5 < 6 &unknown; &#9999999;', '5 < 6 &unknown; &#9999999;'],
    ['&amp;lt;b&gt;', '&lt;b>'],
    ['&constructor;', '&constructor;'],
    ['<br>', 'Item'],
  ])('names an item %j as %j', (name, expected) => {
    const body = { ...order, line_items: [{ ...order.line_items[0], name }] };
    expect(readWooOrder(body)).toMatchObject({ fields: { items: [{ name: expected }] } });
  });

  it.each([
    ['refunded', [], true],
    ['completed', [{ id: 1 }], true],
    ['completed', [], false],
  ])('with the status %s and the refunds %j is asked for its refunds: %s', (status, refunds, hasRefunds) =>
    expect(readWooOrder({ ...order, status, refunds })).toMatchObject({ hasRefunds }),
  );
});

it('reads numbers that extensions write as text, and amounts that they write as numbers', () => {
  const line_items = [{ name: 'Mug', quantity: '2', subtotal: 10, sku: '' }];
  const numbers = { id: '7', number: 7, customer_id: '9', total: 10, total_tax: 0, line_items };
  expect(readWooOrder({ ...order, ...numbers })).toMatchObject({
    ...{ shopId: '7', reference: '7', total: { minor: 1000n } },
    fields: { customer: { account_id: '9' }, items: [{ quantity: '2', amount_unit: '5.00' }] },
  });
  expect(readWooOrder({ ...order, customer_id: '' })).toMatchObject({ shopId: '7' });
  expect(readWooOrder({ ...order, line_items: [{ ...line_items[0], quantity: 'two' }] })).toBe('line_items.0.quantity');
});

it('reads lists that PHP writes as objects, as they have gaps', () => {
  const [line] = order.line_items;
  const read = readWooOrder({ ...order, line_items: { 0: line, 2: line }, refunds: { 1: { id: 5, total: '-1.00' } } });
  if (typeof read === 'string') return expect.fail(read);
  expect([read.fields['items'], read.refunds]).toMatchObject([
    [{ name: 'Mug' }, { name: 'Mug' }],
    [{ amount: '1.00' }],
  ]);
  expect(readWooRefunds({ 3: { id: 5, amount: '1.00' } }, read)).toMatchObject([{ amount: '1.00', reference: '5' }]);
  expect(readWooRefunds({ errors: {} }, read)).toBe('refunds');
});

describe('an answer of WooCommerce', () => {
  beforeEach(() => {
    process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  });
  afterEach(() => {
    delete process.env['ALLOW_LOOPBACK_HTTP'];
  });

  it.each([
    ['<br />\n<b>Deprecated</b>: x\n[]', 'HTML or a notice of PHP'],
    ['Warning: x in y.php\n[]', 'HTML or a notice of PHP'],
    ['<!doctype html><p>Maintenance', 'HTML or a notice of PHP'],
    ['{"code":"x"}', 'something else than orders'],
    ['[', 'something else than orders'],
    ['', 'something else than orders'],
  ])('is reported by what it begins with: %j', async (text, words) => {
    await using server = await startFakeServer({ answer: () => ({ status: 200, body: text }), failure: () => ({}) });
    const shop = wooShop(server.url, { consumer_key: 'k', consumer_secret: 's' });
    const trouble = expect.stringContaining(words);
    expect(await shop.page({ after: '2026-05-01T00:00:00.000Z', page: null })).toMatchObject({ trouble });
  });
});
