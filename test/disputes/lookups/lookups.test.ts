import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { milliseconds, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { hmacSha256 } from '#core/kernel/crypto.ts';
import { countItems } from '#core/platform/lists/counter-store.ts';
import { readListed } from '#core/platform/lists/listing.ts';
import { getItem, updateItem } from '#core/platform/table/table.ts';
import { handler as worker } from '#disputes/lookups/jobs/record-lookups/handler.ts';
import { answerInTime } from '#disputes/lookups/lookup/find-store.ts';
import type { OrderLookup } from '#disputes/lookups/lookup/lookup.ts';
import { lookupIdOf, lookupKeyOf } from '#disputes/lookups/lookup/lookup-row.ts';
import { lookupOfProviderB } from '#disputes/lookups/lookup/provider-b-lookup.ts';
import { recordLookup, settleLookup } from '#disputes/lookups/lookup/record-store.ts';
import { orderKey } from '#payments/orders/order-row.ts';
import { getOrder, readOrdersOfCard } from '#payments/orders/order-store.ts';
import { seedClaims } from '#test/disputes/alerts/seed.ts';
import { daysBefore, now } from '#test/payments/orders/samples.ts';
import { openShop, rowsWith, type Shop, store } from '#test/payments/orders/shop.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();
process.env['LOOKUPS_QUEUE_URL'] = 'http://127.0.0.1:1/000000000000/lookups';

type Fields = Record<string, unknown>;
const queue = mockClient(SQSClient);
/** The look-ups that were sent to be recorded. */
const sent = (): OrderLookup[] =>
  queue
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args: [{ input }] }) =>
      (input.Entries ?? []).map((entry) => JSON.parse(entry.MessageBody ?? '').lookup),
    );

let shop: Shop;
let counter = 0;
beforeEach(async () => {
  queue.reset();
  queue.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  setClock(() => Date.parse(now));
  shop = await openShop();
});
afterEach(() => setClock());

const signed = (operation: string, secret: string, body: unknown) => {
  const rawBody = JSON.stringify(body);
  const seconds = Math.floor(nowMilliseconds() / 1000);
  const signature = hmacSha256(`the ${secret} secret of this test`, `${seconds}.${rawBody}`);
  return ask(operation, { as: 'nobody', rawBody, headers: { 'x-signature': `t=${seconds},v1=${signature}` } });
};

const ends = { cardFirstSix: '424242', cardLastFour: '4242' };
const askA = (criteria: Fields, reference: Fields = {}) => {
  counter += 1;
  return signed('lookups/lookup-provider-a', 'provider-a', {
    requestReference: { originatorChannel: 'DIGITAL', correlationId: `zeb-${counter}`, ...reference },
    searchCriteria: { merchantId: shop.clientId, ...criteria },
  });
};
const questionB = (change: Fields = {}): Fields => {
  counter += 1;
  return {
    ...{ insightId: 'insight', transactionRequestId: `request-${counter}`, source: 'OIM', paymentType: 'VISA' },
    ...{ entityInfo: { partnerId: 'p', clientId: shop.clientId }, paymentDescriptor: 'SHOP*ONLINE 123' },
    ...{ transactionDate: '2026-04-30', transactionAmount: { amount: '361.56', currency: 'USD' } },
    ...{ cardBin: '424242', cardLast4: '4242' },
    ...change,
  };
};
const askB = (change: Fields = {}) => signed('lookups/lookup-provider-b', 'provider-b', questionB(change));
const readCode = ({ body }: { body: unknown }) => (body as { responseStatus: { code: string } }).responseStatus.code;

describe('a look-up', () => {
  it('shows the order that is asked about, in each provider’s shape', async () => {
    const id = await store(shop);
    const answerA = await askA({ ...ends, acquirerReferenceNumber: '24692161070000622606414' });
    expect([answerA.status, answerA.body]).toMatchObject([
      200,
      { responseStatus: { code: 'TRANSACTION_FOUND' }, order: { merchantOrderId: 'A-1001' } },
    ]);
    const answerB = await askB();
    expect([answerB.status, answerB.body]).toMatchObject([
      200,
      { status: 'FOUND', receipt: { orderNumber: 'A-1001' } },
    ]);
    expect(sent()).toMatchObject([
      {
        provider: 'provider_a',
        channel: 'DIGITAL',
        result: 'found',
        orderId: id,
        mid: shop.mid,
        sid: shop.sid,
        outcome: 'open',
        shown: ['purchase', 'name', 'shipping'],
      },
      { provider: 'provider_b', channel: 'OIM', result: 'found', orderId: id, amount: '361.56' },
    ]);
  });

  it('reports no match and several matches; provider_b receives 404', async () => {
    await store(shop, { arn: null, auth_code: null, network_transaction_id: null });
    await store(shop, { reference: 'A-2', arn: null, auth_code: null, network_transaction_id: null });
    expect(
      readCode(
        await askA({
          ...ends,
          transactionAmount: '1.00',
          transactionCurrencyCode: 'USD',
          transactionDateTime: '2026-04-30',
        }),
      ),
    ).toBe('TRANSACTION_NOT_FOUND');
    expect(
      readCode(
        await askA({
          ...ends,
          transactionAmount: '361.56',
          transactionCurrencyCode: 'USD',
          transactionDateTime: '2026-04-30',
        }),
      ),
    ).toBe('MULTIPLE_TRANSACTIONS_FOUND');
    expect(await askB({ cardLast4: '0000' })).toMatchObject({
      status: 404,
      body: { insightId: 'insight', status: 'NOT_FOUND' },
    });
    expect(await askB()).toMatchObject({ status: 404, body: { status: 'MULTIPLE_FOUND' } });
    expect(sent().map(({ result, orderId }) => [result, orderId])).toEqual([
      ['not_found', null],
      ['multiple', null],
      ['not_found', null],
      ['multiple', null],
    ]);
  });

  it('by the acquirer’s number alone finds the card by it', async () => {
    const id = await store(shop, { arn: '24692161070000622606333' });
    expect(readCode(await askA({ acquirerReferenceNumber: '24692161070000622606333' }))).toBe('TRANSACTION_FOUND');
    expect(readCode(await askA({ acquirerReferenceNumber: '24692161070000622606334' }))).toBe('TRANSACTION_NOT_FOUND');
    const other = await openShop();
    expect(
      readCode(await askA({ merchantId: other.clientId, acquirerReferenceNumber: '24692161070000622606333' })),
    ).toBe('TRANSACTION_NOT_FOUND');
    expect(sent()[0]).toMatchObject({ orderId: id, card: null });
  });

  it('finds an unnamed merchant by its enrolled descriptor, unless two are equal', async () => {
    const text = `LOOKUP ${shop.mid}`;
    await store(shop, { arn: '24692161070000622606444' });
    const asked = {
      ...ends,
      merchantId: null,
      acquirerReferenceNumber: '24692161070000622606444',
      cardAcceptorName: `${text} 7`,
    };
    expect(readCode(await askA(asked))).toBe('TRANSACTION_NOT_FOUND');
    await seedClaims('provider_a', 'PREFIX', text, shop);
    expect(readCode(await askA(asked))).toBe('TRANSACTION_FOUND');
    await seedClaims('provider_a', 'PREFIX', text, shop, await openShop());
    expect(readCode(await askA(asked))).toBe('TRANSACTION_NOT_FOUND');
  });

  it('reaches no merchant that keeps no orders, and no other merchant’s orders', async () => {
    await store(shop);
    const [plain, other] = [await openShop({ order_insights: false }), await openShop()];
    expect(await askB({ entityInfo: { partnerId: 'p', clientId: plain.clientId } })).toMatchObject({ status: 404 });
    expect(await askB({ entityInfo: { partnerId: 'p', clientId: other.clientId } })).toMatchObject({ status: 404 });
    expect(await askB({ entityInfo: { partnerId: 'p', clientId: 'nobody' } })).toMatchObject({ status: 404 });
    expect(sent().map(({ result, mid }) => [result, mid])).toEqual([
      ['refused', plain.mid],
      ['not_found', other.mid],
      ['not_found', null],
    ]);
  });

  it('holds evidence for a dispute that qualifies, and records why one does not', async () => {
    const of = (days: number) => ({
      reference: `D-${days}`,
      order_date: daysBefore(days),
      arn: String(days).padStart(23, '5'),
      refunds: [],
    });
    await store(shop, of(3));
    const asked = { source: 'OID', arn: of(3).arn, transactionDate: daysBefore(3) };
    expect((await askB(asked)).body).not.toHaveProperty('compellingEvidence');
    for (const days of [150, 200]) await store(shop, of(days));
    expect((await askB(asked)).body).toMatchObject({
      compellingEvidence: { qualified: true, priorTransactions: [{}, {}] },
    });
    expect(sent().map(({ ce3 }) => ce3)).toEqual(['too_few', 'qualified']);
    const trust = await askA(
      { ...ends, acquirerReferenceNumber: of(3).arn },
      { originatorChannel: 'FIRST_PARTY_TRUST' },
    );
    expect(trust.body).toMatchObject({
      accountProfile: { historicOrders: [{ orderId: 'D-150', matchCreditCard: true }, { orderId: 'D-200' }] },
    });
  });

  it('holds the same evidence for a report of fraud without a dispute, but for no other reason', async () => {
    const of = (days: number) => ({
      reference: `F-${days}`,
      order_date: daysBefore(days),
      arn: String(days).padStart(23, '6'),
      refunds: [],
    });
    for (const days of [150, 200]) await store(shop, of(days));
    await store(shop, { ...of(3), reported: true });
    const asked = { source: 'OID', arn: of(3).arn, transactionDate: daysBefore(3), disputeDate: daysBefore(1) };
    const evidence = { compellingEvidence: { qualified: true, priorTransactions: [{}, {}] } };
    expect((await askB(asked)).body).toMatchObject(evidence);
    expect((await askB({ ...asked, disputeReasonCode: '10.4' })).body).toMatchObject(evidence);
    expect((await askB({ ...asked, disputeReasonCode: '13.1' })).body).not.toHaveProperty('compellingEvidence');
    expect((await askB({ ...asked, source: 'OIM' })).body).not.toHaveProperty('compellingEvidence');
  });

  it('needs the provider’s signature, and what its shape requires', async () => {
    const unsigned = await ask('lookups/lookup-provider-a', { as: 'nobody', body: {} });
    expect(unsigned.status).toBe(401);
    expect(
      (
        await ask('lookups/lookup-provider-b', {
          as: 'nobody',
          body: questionB(),
          headers: { 'x-signature': 't=1,v1=00' },
        })
      ).status,
    ).toBe(401);
    expect(await askA({ transactionAmount: '1.00' })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('searchCriteria: needs cardFirstSix') },
    });
    expect(await askB({ source: 'XXX' })).toMatchObject({
      status: 400,
      body: { details: expect.stringContaining('source: ') },
    });
  });
});

describe('what is read of a card', () => {
  it('goes back 400 days, or to the date that is asked about', async () => {
    const of = (days: number) => ({ reference: `B-${days}`, order_date: daysBefore(days), arn: null, refunds: [] });
    for (const days of [399, 401]) await store(shop, of(days));
    const read = async (date?: string) =>
      (await readOrdersOfCard(shop.mid, '424242-4242', date)).orders.map(({ content }) => content.reference);
    expect(await read()).toEqual(['B-399']);
    expect(await read(daysBefore(10))).toEqual(['B-399']);
    expect(await read(daysBefore(401))).toEqual(['B-399', 'B-401']);
  });
});

describe('a card with more orders than one page holds', () => {
  it('is read as far as a page goes, and says that there may be more', async () => {
    const description = 'd'.repeat(220);
    const items = Array.from({ length: 50 }, (_, n) => ({
      name: `Thing ${n}`,
      quantity: 1,
      amount_unit: '1.00',
      description,
    }));
    const money = {
      amount: '50.00',
      amount_subtotal: '50.00',
      amount_shipping: null,
      amount_tax: null,
      amount_coupon: null,
    };
    const large = (n: number) => ({
      ...money,
      items,
      reference: `L-${n}`,
      order_date: daysBefore(n),
      arn: null,
      refunds: [],
    });
    // Each of about 14 KiB: more than the megabyte that one call answers.
    for (let n = 1; n <= 90; n += 1) await store(shop, large(n));
    const newest = await readOrdersOfCard(shop.mid, '424242-4242');
    expect(newest.isWhole).toBe(false);
    expect(newest.orders.length).toBeLessThan(90);
    expect((await readOrdersOfCard(shop.mid, '424242-4242', daysBefore(10))).isWhole).toBe(true);
    expect((await readOrdersOfCard(shop.mid, '424242-4242', daysBefore(90))).isWhole).toBe(false);
  });
});

describe('the same request again', () => {
  it('is answered again and recorded once within a day, and shows no deleted order', async () => {
    const id = await store(shop);
    const question = questionB();
    const again = () => signed('lookups/lookup-provider-b', 'provider-b', question);
    expect((await again()).status).toBe(200);
    const [first] = sent();
    if (!first) throw new Error('Nothing was recorded');
    await recordLookup(first);
    setClock(() => Date.parse(now) + 23 * milliseconds.hour);
    expect((await again()).status).toBe(200);
    expect(sent()).toHaveLength(1);
    setClock(() => Date.parse(now) + 25 * milliseconds.hour);
    expect((await again()).status).toBe(200);
    expect(sent()).toHaveLength(2);
    await ask('lookups/delete-order', { as: shop.as, params: { id } });
    expect((await again()).status).toBe(404);
  });

  it('under the same name but about something else is another', async () => {
    await store(shop);
    const question = questionB();
    await signed('lookups/lookup-provider-b', 'provider-b', question);
    await recordLookup(sent()[0] ?? expect.fail('nothing sent'));
    expect((await signed('lookups/lookup-provider-b', 'provider-b', { ...question, cardLast4: '0000' })).status).toBe(
      404,
    );
    expect(new Set(sent().map(({ name }) => name)).size).toBe(2);
  });
});

describe('a look-up that goes wrong', () => {
  it('is answered though it cannot be recorded', async () => {
    await store(shop);
    queue.on(SendMessageBatchCommand).rejects(new Error('no queue'));
    expect((await askB()).status).toBe(200);
  });

  it('is answered with nothing when its time is up', async () => {
    const request = lookupOfProviderB({
      ...questionB(),
      entityInfo: { partnerId: 'p', clientId: 'c' },
      disputeReasonCode: undefined,
    } as never);
    const never = () => new Promise<never>(() => undefined);
    expect(await answerInTime(request, 5, never)).toEqual({ order: null, isMany: false });
    const failing = () => Promise.reject(new Error('broken'));
    await expect(answerInTime(request, 1000, failing)).rejects.toThrow('broken');
  });

  it('has 1.8 seconds, and is counted where they were not enough', async () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let answer: unknown;
      const never = () => new Promise<never>(() => undefined);
      const request = lookupOfProviderB(questionB() as never);
      const answered = answerInTime(request, undefined, never).then((one) => {
        answer = one;
      });
      await vi.advanceTimersByTimeAsync(1799);
      expect(answer).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      await answered;
      expect(answer).toEqual({ order: null, isMany: false });
      expect(written.mock.calls.map(([line]) => String(line)).join('')).toContain('"LookupsTooLate":1');
    } finally {
      vi.useRealTimers();
      written.mockRestore();
    }
  });
});

const deliver = async (...bodies: unknown[]) =>
  worker({ Records: bodies.map((body, index) => ({ messageId: String(index), body: JSON.stringify(body) })) } as never);

const looked = async (change: Fields = {}): Promise<OrderLookup> => {
  await askB(change);
  const one = sent().at(-1);
  if (!one) throw new Error('Nothing was recorded');
  return one;
};
const readRow = async (lookup: OrderLookup) =>
  (await getItem(lookupKeyOf(lookupIdOf(lookup)) ?? expect.fail('no key'))) as Fields & { lookup: OrderLookup };

describe('the record of a look-up', () => {
  it('is written once, however often its message comes', async () => {
    await store(shop);
    const lookup = await looked();
    expect(await deliver({ lookup }, { lookup })).toEqual({ batchItemFailures: [] });
    expect(await deliver({ lookup })).toEqual({ batchItemFailures: [] });
    expect(await readRow(lookup)).toMatchObject({
      entity: 'LOOKUP',
      lookup,
      dueSk: expect.stringMatching(/^2026-08-30T10:00:00.000Z#LOOKUP#/),
      ttl: Date.parse(now) / 1000 + 400 * 86_400,
    });
    expect((await deliver({ lookup: { ...lookup, result: 'lost' } })).batchItemFailures).toHaveLength(1);
  });

  it('of an order that is gone when it comes holds nothing of the customer', async () => {
    const id = await store(shop);
    const lookup = await looked();
    await ask('lookups/delete-order', { as: shop.as, params: { id } });
    await deliver({ lookup });
    expect((await readRow(lookup)).lookup).toMatchObject({ card: null, reference: null });
  });

  it('becomes deflected after 120 days, and not before', async () => {
    await store(shop);
    const lookup = await looked();
    await recordLookup(lookup);
    const id = lookupIdOf(lookup);
    setClock(() => Date.parse(now) + 59 * milliseconds.day);
    await deliver({ lookupId: id });
    expect((await readRow(lookup)).lookup.outcome).toBe('open');
    setClock(() => Date.parse(now) + 120 * milliseconds.day);
    await Promise.allSettled([settleLookup(id), settleLookup(id)]);
    await settleLookup(id);
    expect(await readRow(lookup)).toMatchObject({ lookup: { outcome: 'deflected' } });
    expect(await readRow(lookup)).not.toHaveProperty('dueSk');
  });

  it('becomes disputed when an alert came after it, and open again when that is taken back', async () => {
    const id = await store(shop);
    const lookup = await looked();
    await recordLookup(lookup);
    const Key = orderKey((await getOrder(id)) ?? expect.fail('no order'));
    const names = { '#d': 'disputes', '#a': '5' };
    await updateItem({
      Key,
      UpdateExpression: 'SET #d.#a = :d',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':d': { type: 'FRAUD', at: now } },
    });
    await settleLookup(lookupIdOf(lookup));
    expect((await readRow(lookup)).lookup.outcome).toBe('disputed');
    await updateItem({ Key, UpdateExpression: 'REMOVE #d.#a', ExpressionAttributeNames: names });
    await settleLookup(lookupIdOf(lookup));
    expect((await readRow(lookup)).lookup.outcome).toBe('open');
  });

  it('changes nothing if the look-up is unknown or found nothing', async () => {
    expect(
      await deliver({ lookupId: 'provider_b#nobody-2026-05-02' }, { lookupId: 'nobody' }, { lookupId: 'a#b#c' }),
    ).toEqual({ batchItemFailures: [] });
    const lookup = await looked({ cardLast4: '0000' });
    await recordLookup(lookup);
    setClock(() => Date.parse(now) + 121 * milliseconds.day);
    await settleLookup(lookupIdOf(lookup));
    expect((await readRow(lookup)).lookup).toEqual(lookup);
  });

  it('counts failed look-ups by the first and last digits of the card', async () => {
    for (let n = 0; n < 3; n += 1) {
      const lookup = await looked({ cardBin: '411111', cardLast4: '0009', insightId: `vain-${n}` });
      await deliver({ lookup }, { lookup });
    }
    expect(await rowsWith('LOOKUPMISSES#411111-0009')).toMatchObject([{ n: 3, sk: '2026-05-02T10:00:00.000Z' }]);
  });

  it('tells the operators once, at the hundredth within five minutes', async () => {
    const one = await looked({ cardBin: '411111', cardLast4: '0010' });
    const told = async (count: number): Promise<number> => {
      const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      try {
        for (let n = 0; n < count; n += 1) {
          counter += 1;
          await recordLookup({ ...one, name: `vain-${counter}-2026-05-02` });
        }
        return written.mock.calls.filter(([line]) => String(line).includes('"LookupsInVain":1')).length;
      } finally {
        written.mockRestore();
      }
    };
    expect([await told(99), await told(1), await told(1)]).toEqual([0, 1, 0]);
    setClock(() => Date.parse(now) + 5 * 60_000);
    expect(await told(1)).toBe(0);
    expect(await rowsWith('LOOKUPMISSES#411111-0010')).toMatchObject([{ n: 101 }, { n: 1 }]);
  });
});

it('shows no order of another card’s ends, merchant or number, whatever is stored', async () => {
  const arns = ['66666666666666666666661', '66666666666666666666662'];
  const other = await openShop();
  for (const [index, arn] of arns.entries()) {
    await store(shop, { reference: `P-${index}`, arn, card_lastfour: index === 0 ? '1111' : '2222' });
    await store(other, { reference: `Q-${index}`, arn, card_lastfour: index === 0 ? '1111' : '2222' });
  }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...arns),
      fc.constantFrom('1111', '2222'),
      fc.constantFrom(shop, other),
      async (arn, cardLastFour, asked) => {
        const { body } = await askA({
          cardFirstSix: '424242',
          cardLastFour,
          merchantId: asked.clientId,
          acquirerReferenceNumber: arn,
        });
        const { order } = body as {
          order?: { merchantOrderId: string; payments: { acquirerReferenceNumber: string; cardLastFour: string }[] };
        };
        const isThere = (arn === arns[0]) === (cardLastFour === '1111');
        expect(order !== undefined).toBe(isThere);
        if (order)
          expect([order.merchantOrderId.startsWith(asked === shop ? 'P' : 'Q'), order.payments[0]]).toMatchObject([
            true,
            { acquirerReferenceNumber: arn, cardLastFour },
          ]);
      },
    ),
    { numRuns: 12 },
  );
});

describe('the report of look-ups', () => {
  const report = async (body: Fields = {}) =>
    (await ask('lookups/lookup-report', { as: shop.as, body })).body as Fields;
  /** As the counter does by the stream. */
  const count = async (...lookups: OrderLookup[]): Promise<void> => {
    const rows = await Promise.all(lookups.map(readRow));
    const sequence = String(nowMilliseconds()).padStart(40, '0');
    await countItems(rows.map((row) => ({ itemPk: String(row['pk']), listed: readListed(row), sequence })));
  };

  it('counts what was found, the results, and each saved order once', async () => {
    await store(shop);
    const [first, again, missed] = [await looked(), await looked(), await looked({ cardLast4: '0000' })];
    for (const lookup of [first, again, missed]) await recordLookup(lookup);
    await count(first, again, missed);
    expect(await report({ sid: shop.sid })).toMatchObject({ lookups: 2, found: 2, open: 2, deflected: 0, saved: [] });
    expect(await report()).toEqual({
      ...{ lookups: 3, found: 2, not_found: 1, multiple: 0, refused: 0, error: 0, found_rate: 66.7 },
      ...{ ce3_qualified: 0, open: 2, disputed: 0, deflected: 0, saved: [], saved_is_whole: true },
    });
    setClock(() => Date.parse(now) + 121 * milliseconds.day);
    for (const lookup of [first, again]) await settleLookup(lookupIdOf(lookup));
    await count(first, again);
    expect(await report()).toMatchObject({ open: 0, deflected: 2, saved: [{ currency: 'USD', amount: '361.56' }] });
    expect(await report({ provider: 'provider_a' })).toMatchObject({ lookups: 0, found_rate: null, saved: [] });
    expect(await report({ date_from: '2026-05-03' })).toMatchObject({ lookups: 0, saved: [] });
    const { body } = await ask('lookups/lookup-report', { body: {} });
    expect((body as { lookups: number }).lookups).toBeGreaterThanOrEqual(3);
    for (const owner of [{ mid: 999_999 }, { sid: 999_999 }]) {
      expect((await ask('lookups/lookup-report', { as: shop.as, body: owner })).status).toBe(404);
    }
  });
});

describe('the bank of the sandbox', () => {
  it('says that it was given no answer, and by whom it is not answered', async () => {
    const order = await store(shop);
    const page = async (client: string) =>
      String((await ask('lookups/sandbox-bank', { as: 'nobody', query: { client } })).body);
    expect(await page(shop.clientId)).toContain('361.56 USD');
    expect(await page('nobody')).toContain('No merchant that keeps orders has this name.');
    vi.stubGlobal('fetch', () => Promise.reject(new Error('No network here')));
    for (const action of ['ask', 'dispute']) {
      const body = new URLSearchParams({ client: shop.clientId, order: String(order), view: 'agent', action });
      const answer = await ask('lookups/sandbox-bank-ask', { as: 'nobody', body });
      expect([answer.status, String(answer.body)]).toEqual([200, expect.stringContaining('was given no answer')]);
    }
    vi.unstubAllGlobals();
    const other = new URLSearchParams({ client: shop.clientId, order: '1', view: 'agent', action: 'ask' });
    expect((await ask('lookups/sandbox-bank-ask', { as: 'nobody', body: other })).status).toBe(404);
  });
});

describe('what was declared is what was done, by', () => {
  it.each([
    ...['lookups/lookup-provider-a', 'lookups/lookup-provider-b', 'lookups/lookup-report'],
    ...['lookups/sandbox-bank', 'lookups/sandbox-bank-ask'],
  ])('%s', (name) => expectDeclared(name));
});
