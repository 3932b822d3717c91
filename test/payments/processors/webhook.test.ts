import { SendMessageBatchCommand, type SendMessageBatchCommandInput, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { hmacSha256 } from '#core/kernel/crypto.ts';
import { putItem, transact } from '#core/platform/table/table.ts';
import { adyenMemory } from '#payments/processors/adyen/adyen-store.ts';
import { adyenSignature } from '#payments/processors/adyen/adyen-webhook.ts';
import { braintreeSignature } from '#payments/processors/braintree/braintree-webhook.ts';
import { toTransactionItem, transactionReferenceWrite } from '#payments/transactions/transaction/transaction-row.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { aPayment } from '#test/payments/cardsearch/seed.ts';
import { ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();
beforeAll(() => void Object.assign(process.env, { SETTLEMENT_QUEUE_URL: 'https://sqs.example.com/settlement' }));
afterAll(() => void delete process.env['SETTLEMENT_QUEUE_URL']);
afterEach(() => setClock());

const secret = 'whsec_theSecretOfThisEndpoint';
let tenant: Tenant;
let sent: unknown[] = [];
let isTaken = true;
const setRoutes = (routes: unknown) =>
  ask('processors/set-site-processors', { as: tenant.as, params: { sid: tenant.sid }, body: { routes } });

beforeEach(async () => {
  sent = [];
  isTaken = true;
  mockClient(SQSClient)
    .on(SendMessageBatchCommand)
    .callsFake(({ Entries = [] }: SendMessageBatchCommandInput) => {
      if (!isTaken) return { Failed: Entries.map(({ Id }) => ({ Id, Code: 'x', SenderFault: false })) };
      sent.push(...Entries.map(({ MessageBody = '' }) => JSON.parse(MessageBody)));
      return {};
    });
  tenant = await newTenant();
  const { mid, rid, sid, as } = tenant;
  await ask('merchants/set-payment-settings', { as, params: { mid, rid, sid }, body: {} });
  const credentials = { secret_key: 'sk_test_example', webhook_secret: secret };
  expect((await setRoutes([{ processor: 'stripe', credentials }])).status).toBe(200);
});

const event = (object: object) => ({ id: 'evt_1', object: 'event', data: { object } });
type Options = { by?: string; at?: number; sid?: number; processor?: string };
const send = (
  body: unknown,
  { by = secret, at = nowMilliseconds(), sid = tenant.sid, processor = 'stripe' }: Options = {},
) => {
  const seconds = Math.floor(at / 1000);
  const signature = `t=${seconds},v1=${hmacSha256(by, `${seconds}.${JSON.stringify(body)}`)},v0=00`;
  const headers = { 'stripe-signature': signature };
  return ask('transactions/receive-processor-webhook', { as: 'nobody', params: { processor, sid }, body, headers });
};
/** A transaction's reference at Stripe, as it is kept once Stripe has answered. */
const known = (processorReference: string, txid: number, sid = tenant.sid) =>
  transact({
    rows: transactionReferenceWrite(aPayment({ ...tenant, sid }, { txid, processor: 'stripe', processorReference })),
  });
/** A transaction as it is kept before its processor has answered. */
const made = async (txid: number, sid = tenant.sid): Promise<number> => {
  await putItem(toTransactionItem(aPayment({ ...tenant, sid }, { txid, status: 'PEND', processorReference: null })));
  return txid;
};

describe('a webhook of a processor', () => {
  it('has the transactions settled that it is about, each once', async () => {
    await made(1001);
    await known('pi_1', 1001);
    await known('ch_1', 1001);
    const { status, body } = await send(event({ id: 'ch_1', payment_intent: 'pi_1', metadata: { txid: '1001' } }));
    expect([status, body]).toEqual([200, '[accepted]']);
    expect(sent).toEqual([{ txid: 1001, told: true }]);
  });

  it('finds a transaction by the number it carries, before its reference is known', async () => {
    await made(1002);
    await send(event({ id: 'pi_2', metadata: { txid: '1002' } }));
    expect(sent).toEqual([{ txid: 1002, told: true }]);
  });

  it.each([
    event({ id: 'pi_of_another_system' }),
    event({ metadata: { txid: '12x' } }),
    event({ metadata: { txid: '1999' } }),
    { id: 'evt_2' },
    { id: 7, data: null },
  ])('that is about nothing of ours is accepted: %j', async (body) => {
    expect(await send(body)).toMatchObject({ status: 200, body: '[accepted]' });
    expect(sent).toEqual([]);
  });

  it("says nothing of another site's transactions, by number or by reference", async () => {
    const another = tenant.sid + 1;
    await made(1010, another);
    await known('pi_10', 1010, another);
    const { status } = await send(event({ id: 'pi_10', metadata: { txid: '1010' } }));
    expect([status, sent]).toEqual([200, []]);
  });

  it('is redelivered if the queue did not accept it', async () => {
    isTaken = false;
    const body = event({ metadata: { txid: String(await made(1003)) } });
    expect((await send(body)).status).toBe(500);
    isTaken = true;
    expect((await send(body)).status).toBe(200);
    expect(sent).toEqual([{ txid: 1003, told: true }]);
  });

  it('is refused with a wrong signature, an old one, none, or that of another site', async () => {
    const body = event({ metadata: { txid: '1004' } });
    const wrong = [
      await send(body, { by: 'whsec_another' }),
      await send(body, { at: nowMilliseconds() - 301_000 }),
      await send(body, { sid: 999_999 }),
      await send(body, { processor: 'adyen' }),
      await ask('transactions/receive-processor-webhook', {
        as: 'nobody',
        params: { processor: 'stripe', sid: tenant.sid },
        body,
      }),
    ];
    expect(new Set(wrong.map((one) => JSON.stringify([one.status, one.body]))).size).toBe(1);
    expect(wrong[0]).toMatchObject({ status: 401, body: { msg: 'The signature is missing, wrong or too old' } });
    expect(sent).toEqual([]);
  });

  it('is taken for an account that nothing is routed to any more', async () => {
    const other = { secret_key: 'sk_test_other', webhook_secret: 'whsec_other' };
    await setRoutes([{ processor: 'stripe', credentials: other }]);
    const body = event({ metadata: { txid: '1005' } });
    expect([(await send(body)).status, (await send(body, { by: 'whsec_other' })).status]).toEqual([200, 200]);
  });

  it('of a processor that we do not know is refused', async () => {
    expect((await send(event({}), { processor: 'sandbox' })).status).toBe(400);
  });
});

describe("Adyen's webhooks", () => {
  const adyen = {
    api_key: 'anApiKey',
    merchant_account: 'ShopECOM',
    hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
    environment: 'test',
  } as const;
  const notification = (hmacKey: string) => {
    const item = {
      eventCode: 'AUTHORISATION',
      success: 'true',
      pspReference: 'NC6HT9CRT65ZGN82',
      merchantAccountCode: 'ShopECOM',
      merchantReference: '1006-0123456789abcdef',
      amount: { value: 1000, currency: 'USD' },
    };
    const additionalData = { hmacSignature: adyenSignature(item, hmacKey) };
    return { live: 'false', notificationItems: [{ NotificationRequestItem: { ...item, additionalData } }] };
  };
  beforeEach(async () => {
    expect((await setRoutes([{ processor: 'adyen', credentials: adyen }])).status).toBe(200);
  });

  it('are accepted in the words it waits for, kept, and have the transaction settled', async () => {
    await made(1006);
    const answer = await send(notification(adyen.hmac_key), { processor: 'adyen' });
    expect(answer).toMatchObject({ status: 200, body: '[accepted]' });
    expect(sent).toEqual([{ txid: 1006, told: true }]);
    const { notices } = await adyenMemory(`S${tenant.sid}`).recall('NC6HT9CRT65ZGN82');
    expect(notices).toHaveLength(1);
  });

  it('are refused when another key signed them', async () => {
    const answer = await send(notification('00'.repeat(32)), { processor: 'adyen' });
    expect(answer.status).toBe(401);
    expect((await adyenMemory(`S${tenant.sid}`).recall('NC6HT9CRT65ZGN82')).notices).toEqual([]);
  });
});

describe('webhooks of NMI and Braintree', () => {
  const nmi = { security_key: '6457Thfj624V5r7WUwc5v6a68ZsdABCD', webhook_key: 'aSigningKey' };
  const braintree = {
    ...{ merchant_id: 'ryqy4yyw7m5bf92h', public_key: 'ymtqgy8773zq2fw3', private_key: '7dd7253c4c53d675f15e8692' },
    merchant_accounts: { USD: 'shop_usd' },
  };
  const deliver = (processor: string, headers: Record<string, string>, rawBody: string) =>
    ask('transactions/receive-processor-webhook', {
      as: 'nobody',
      params: { processor, sid: tenant.sid },
      headers,
      rawBody,
    });
  beforeEach(async () => {
    const routes = [
      { processor: 'nmi', credentials: nmi },
      { processor: 'braintree', credentials: braintree },
    ];
    expect((await setRoutes(routes)).status).toBe(200);
  });

  it('have the transaction settled, as JSON', async () => {
    await made(1007);
    const rawBody = JSON.stringify({
      event_id: 'e1',
      event_body: { transaction_id: '4001', order_id: '1007-0123456789abcdef' },
    });
    const signed = (key: string) => ({ 'webhook-signature': `t=n0nce,s=${hmacSha256(key, `n0nce.${rawBody}`)}` });
    expect(await deliver('nmi', signed(nmi.webhook_key), rawBody)).toMatchObject({ status: 200, body: '[accepted]' });
    expect(sent).toEqual([{ txid: 1007, told: true }]);
    expect((await deliver('nmi', signed('another'), rawBody)).status).toBe(401);
  });

  it('have the transaction settled, as a form', async () => {
    await made(1008);
    const xml =
      '<notification><subject><transaction><id>b1</id><order-id>1008-0123456789abcdef</order-id></transaction></subject></notification>';
    const payload = Buffer.from(xml).toString('base64');
    const form = (key: string) =>
      new URLSearchParams({
        bt_signature: `${braintree.public_key}|${braintreeSignature(key, payload)}`,
        bt_payload: payload,
      }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await deliver('braintree', headers, form(braintree.private_key))).toMatchObject({
      status: 200,
      body: '[accepted]',
    });
    expect(sent).toEqual([{ txid: 1008, told: true }]);
    expect((await deliver('braintree', headers, form('another'))).status).toBe(401);
  });
});

it('declares what it does', () => expectDeclared('transactions/receive-processor-webhook'));
