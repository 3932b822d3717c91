import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { newTimedId, timeOfId } from '#core/kernel/ids.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { transact } from '#core/platform/table/table.ts';
import { captureHash, siteHash } from '#payments/payments/order/hashes.ts';
import { sandboxProcessor } from '#payments/processors/sandbox/sandbox-client.ts';
import { continueAuthentication, resendAuthentication } from '#payments/transactions/follow-up/auth-flow.ts';
import { captureThroughLedger } from '#payments/transactions/follow-up/capture-flow.ts';
import { refundThroughLedger } from '#payments/transactions/follow-up/refund-flow.ts';
import { requery as askProcessor } from '#payments/transactions/settlement/requery-flow.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { changedTransactionWrite } from '#payments/transactions/transaction/transaction-row.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import type { Answer } from '#test/support/gateway-event.ts';
import { ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';
import { adyenRoute, routeTo, stripeRoute, useAccounts } from './accounts.ts';
import { expectedVrfy, newShop, okResult, pay, preauth, type Result, tryPayout } from './shop.ts';
import {
  advance,
  advanceUntilDecided,
  fakeProcessor,
  keepWriting,
  ledgerAt,
  paymentAt,
  settleEverything,
  useSandbox,
} from './support.ts';

useOperations();
useSandbox();
const accounts = useAccounts();

let shop: Tenant;
let otherTenant: Tenant;
beforeAll(async () => {
  // It keeps orders, so that a payment that comes to nothing takes its own away again.
  shop = await newShop({}, { order_insights: true, oi_merchant_id: 'oi-follow-up' });
  otherTenant = await newShop();
});

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
/** Returns the parts by which a caller can distinguish answers. */
const shown = ({ status, body }: Answer): string => JSON.stringify({ status, body });
const statusHash = ({ sid, rcode }: Tenant): string => siteHash(sid, rcode);

/** As if the processor had never named a payment. */
const forgetReference = async (txid: number): Promise<void> => {
  const before = await paymentAt(txid);
  await transact({ row: changedTransactionWrite(before, { ...before, processorReference: null }) });
};

describe('flagcapture', () => {
  const capture = (
    txid: number,
    amount = '10.00',
    { sid, rcode }: Tenant = shop,
    hash = captureHash(sid, amount, rcode),
  ) =>
    ask('transactions/flagcapture', { params: { id: sid }, body: form({ parent_txid: String(txid), amount, hash }) });

  it('captures an authorisation once, and answers the capture', async () => {
    const { txid } = await preauth(shop, '10.00', { tid: 'auth-1', ref2: 'blue' });
    const result = okResult(await capture(txid));
    expect(result).toMatchObject({
      status: 'OK',
      tx_action: 'CAPTURE',
      parent_txid: txid,
      amount: 10,
      currency: 'USD',
    });
    expect(result).toMatchObject({ tid: 'auth-1', ref2: 'blue', vrfy: expectedVrfy(shop, result) });
    expect(await ledgerAt(txid)).toMatchObject({ authorized: 1000n, captured: 1000n, inFlight: {} });
  });

  it('returns the first capture when the call is repeated, and refuses another amount', async () => {
    const { txid } = await preauth(shop, '10.00');
    const first = okResult(await capture(txid));
    expect(okResult(await capture(txid))).toEqual(first);
    expect(okResult(await capture(txid, '10'))).toEqual(first);
    expect(await capture(txid, '9.99')).toMatchObject({
      status: 409,
      body: { status: 'EXC', error_code: 'transaction_state_wrong', error_msg: 'The payment is captured.' },
    });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 1000n, inFlight: {}, captureTxid: first.txid });
  });

  it('captures an authorisation that the payer has confirmed by a code', async () => {
    const { txid } = await pay(shop, '10.64', { tx_action: 'PREAUTH' });
    const code = { authtype: 'SMS', authvalue: '123456', hash: statusHash(shop) };
    expect(okResult(await ask('transactions/sendauth', { params: { id: txid }, body: code }))).toMatchObject({
      status: 'OK',
    });
    expect(okResult(await capture(txid, '10.64'))).toMatchObject({ status: 'OK', tx_action: 'CAPTURE' });
    expect(await ledgerAt(txid)).toMatchObject({ authorized: 1064n, captured: 1064n, inFlight: {} });
  });

  it('captures once also where it is asked for several times at once', async () => {
    const { txid } = await preauth(shop, '10.00');
    const answers = await Promise.all([1, 2, 3].map(() => capture(txid)));
    expect(new Set(answers.map((answer) => okResult(answer).txid)).size).toBe(1);
  });

  it('or a void, whichever comes first, wins', async () => {
    const { txid } = await preauth(shop, '10.00');
    const refund = { parentTxid: txid, money: { minor: 1000n, currency: 'USD' }, dispute: null, by: 'test' };
    const both = await Promise.allSettled([capture(txid), refundThroughLedger(refund)]);
    expect(both).toHaveLength(2);
    const { captured, voided, refunded } = await ledgerAt(txid);
    // A refund that comes after the capture is one.
    expect(captured > 0n).not.toBe(voided > 0n);
    expect(refunded).toBeLessThanOrEqual(captured);
  });

  it('takes the amount that was authorised and no other', async () => {
    const { txid } = await preauth(shop, '10.00');
    expect((await capture(txid, '9.99')).body).toMatchObject({
      error_code: 'amount_not_available',
      error_msg: 'amount: must be what was authorised, 10.00 USD.',
    });
    expect((await capture(txid, '10.001')).status).toBe(400);
    // The hash may be of the amount as it was written.
    expect(okResult(await capture(txid, '10'))).toMatchObject({ status: 'OK', amount: 10 });
    const { txid: other } = await preauth(shop, '10.00');
    expect(okResult(await capture(other, '10', shop, captureHash(shop.sid, '10.00', shop.rcode)))).toMatchObject({
      status: 'OK',
    });
  });

  it('gives up where others write the ledger again and again', async () => {
    const { txid } = await preauth(shop, '10.00');
    keepWriting(txid);
    expect((await capture(txid)).body).toMatchObject({ error_code: 'changed_meanwhile' });
    beforeTransactions();
  });

  it('is pending where what became of it cannot be written down, until that is asked for again', async () => {
    const { txid } = await preauth(shop, '10.00');
    beforeTransactions(async ({ TransactItems = [] }) => {
      const isOutcome = TransactItems.some(({ Put }) => Put?.Item?.['transaction']?.status === 'OK');
      if (isOutcome) throw new Error('DynamoDB is down');
    });
    const captured = okResult(await capture(txid));
    beforeTransactions();
    expect(captured).toMatchObject({ status: 'PEND', tx_action: 'CAPTURE', parent_txid: txid });
    expect(okResult(await capture(txid))).toEqual(captured);
    await settleEverything();
    expect(await paymentAt(captured.txid)).toMatchObject({ status: 'OK' });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 1000n, inFlight: {} });
  });

  it('may be tried again where the processor refused it', async () => {
    const { txid } = await preauth(shop, '10.69');
    expect(okResult(await capture(txid, '10.69'))).toMatchObject({ status: 'EXC', error_code: 'capture_failed' });
    expect(await ledgerAt(txid)).toMatchObject({ captured: 0n, inFlight: {} });
  });

  it('refuses payments, failed transactions, payouts and other sites’ transactions', async () => {
    expect((await capture((await pay(shop, '10.00')).txid)).status).toBe(409);
    const failed = await preauth(shop, '10.00', { card_no: '4000000000000002' });
    expect((await capture(failed.txid)).body).toMatchObject({ error_msg: 'The payment failed.' });
    const paidOut = okResult(await tryPayout(shop, '10.00'));
    expect((await capture(paidOut.txid)).body).toMatchObject({
      error_msg: 'A payout can be neither refunded nor captured.',
    });
    const captured = okResult(await capture((await preauth(shop, '10.00')).txid));
    expect(await capture(captured.txid)).toMatchObject({ status: 404, body: { error_code: 'transaction_not_found' } });
    const { txid } = await preauth(shop, '10.00');
    expect(shown(await capture(txid, '10.00', otherTenant))).toBe(shown(await capture(1, '10.00', otherTenant)));
    expect((await capture(txid, '10.00', otherTenant)).status).toBe(404);
    expect((await capture(txid, '10.00', shop, captureHash(shop.sid, '10.00', 'guess'))).status).toBe(401);
    expect((await capture(txid, '10.00', { ...shop, sid: 999_999 })).status).toBe(401);
  });

  it('is none of a site that takes no payments, whatever payment is named', async () => {
    const plain = await newTenant();
    const { txid } = await preauth(shop, '10.00');
    const refused = { status: 409, body: { error_code: 'site_not_for_payments' } };
    expect(await capture(txid, '10.00', plain)).toMatchObject(refused);
    expect(await capture(1, '10.00', plain)).toMatchObject(refused);
    expect((await capture(1, '10.00', { ...plain, rcode: 'guess' })).status).toBe(401);
  });

  it('refuses a hash if the site accepts signatures of whole bodies only', async () => {
    const strict = await newShop({ signature: 'required' });
    expect((await capture(1, '10.00', strict)).body).toMatchObject({ error_code: 'signature_required' });
  });

  it('fails permanently if the account of the payment is no longer known, or the processor never named it', async () => {
    const { txid } = await preauth(shop, '10.00');
    const order = {
      sid: shop.sid,
      parentTxid: txid,
      amount: '10.00',
      proof: captureHash(shop.sid, '10.00', shop.rcode),
    };
    const refused = { status: 'EXC', error: { code: 'no_processor' } };
    const { transaction } = await captureThroughLedger(order, { processorFor: async () => undefined });
    expect(transaction).toMatchObject(refused);
    await forgetReference(txid);
    const again = await captureThroughLedger(order, { processorFor: async () => fakeProcessor({}) });
    expect(again.transaction).toMatchObject(refused);
  });
});

describe('sendauth and resendauth', () => {
  let waiting: Result;
  beforeEach(async () => {
    waiting = await pay(shop, '10.64');
  });
  const send = (txid: number, authvalue: string, hash = statusHash(shop)) =>
    ask('transactions/sendauth', {
      params: { id: txid },
      body: { authtype: 'SMS', authvalue, miscdata: 'Ada Example|4242424242424242', hash },
    });
  const resend = (txid: number, hash = statusHash(shop)) =>
    ask('transactions/resendauth', { params: { id: txid }, query: { hash } });

  it('resends no code where the payer is sent to a page', async () => {
    const { txid } = await pay(shop, '10.63');
    expect(await resend(txid)).toMatchObject({ status: 409, body: { error_code: 'transaction_state_wrong' } });
    expect((await paymentAt(txid)).status).toBe('PEND');
  });

  it('go on with a payment by the right code', async () => {
    expect(waiting).toMatchObject({ status: 'PEND', next_action: { type: 'otp', channel: 'SMS' } });
    expect(okResult(await resend(waiting.txid))).toMatchObject({ status: 'PEND', next_action: { type: 'otp' } });
    expect(okResult(await send(waiting.txid, '111111'))).toMatchObject({
      status: 'PEND',
      next_action: { type: 'otp' },
    });
    const done = okResult(await send(waiting.txid, '123456'));
    expect(done).toMatchObject({ status: 'OK', vrfy: expectedVrfy(shop, done) });
    expect(done.next_action).toBeUndefined();
    expect((await ledgerAt(waiting.txid)).captured).toBe(1064n);
    // A caller who lost the answer asks again.
    expect(okResult(await send(waiting.txid, '000000'))).toEqual(done);
    expect(okResult(await resend(waiting.txid))).toEqual(done);
  });

  it('find out that the payer was faster', async () => {
    const { processorReference, sid } = await paymentAt(waiting.txid);
    const sandbox = sandboxProcessor({ sid, ring: await keyRing('encryption') });
    const reference = String(processorReference);
    const given = { authType: 'SMS', authValue: '123456', miscData: null };
    await sandbox.continueAuth({ idempotencyKey: 'elsewhere', reference, ...given });
    expect(okResult(await resend(waiting.txid)).status).toBe('OK');
  });

  it('find out that the payer has failed elsewhere, or fail by themselves', async () => {
    const { processorReference, sid } = await paymentAt(waiting.txid);
    const sandbox = sandboxProcessor({ sid, ring: await keyRing('encryption') });
    const reference = String(processorReference);
    const given = { authType: 'SMS', authValue: '1', miscData: null };
    for (const idempotencyKey of ['one', 'two', 'three'])
      await sandbox.continueAuth({ idempotencyKey, reference, ...given });
    expect(okResult(await resend(waiting.txid)).status).toBe('EXC');
    const other = await pay(shop, '10.64');
    const statuses: string[] = [];
    for (const code of ['1', '2', '3']) statuses.push(okResult(await send(other.txid, code)).status);
    expect(statuses).toEqual(['PEND', 'PEND', 'EXC']);
  });

  it('take a multipart form, as the interface says', async () => {
    const boundary = 'part-of-a-form';
    const parts = Object.entries({ authtype: 'SMS', authvalue: '123456', hash: statusHash(shop) }).map(
      ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const answer = await ask('transactions/sendauth', {
      params: { id: waiting.txid },
      rawBody: `${parts.join('')}--${boundary}--\r\n`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
    expect(okResult(answer).status).toBe('OK');
  });

  it('end after three wrong codes', async () => {
    const call = { txid: waiting.txid, proof: statusHash(shop) };
    // The same wrong code counts each time.
    const given = { authType: 'SMS', authValue: '1', miscData: null };
    const answers: Transaction[] = [];
    for (const _try of [1, 2, 3]) answers.push((await continueAuthentication(call, given)).transaction);
    expect(answers.map(({ status }) => status)).toEqual(['PEND', 'PEND', 'EXC']);
    expect(answers.at(-1)?.error?.code).toBe('authentication_failed');
    expect(okResult(await send(waiting.txid, '123456')).status).toBe('EXC');
  });

  it('return the same reply for a wrong hash, an unknown number and another site’s payment', async () => {
    const answers = [
      await send(waiting.txid, '123456', statusHash(otherTenant)),
      await send(waiting.txid + 1, '123456'),
      await resend(waiting.txid, 'a'.repeat(32)),
      await resend(1),
    ];
    expect(new Set(answers.map(shown)).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
    expect((await paymentAt(waiting.txid)).status).toBe('PEND');
  });

  it('refuse what waits for no action, and what cannot go on', async () => {
    const { txid } = await pay(shop, '10.61');
    expect(await send(txid, '123456')).toMatchObject({ status: 409, body: { error_code: 'transaction_state_wrong' } });
    expect((await resend(txid)).status).toBe(409);
    const call = { txid: waiting.txid, proof: statusHash(shop) };
    await expect(resendAuthentication(call, { processorFor: async () => undefined })).rejects.toMatchObject({
      code: 'transaction_state_wrong',
    });
    await forgetReference(waiting.txid);
    await expect(resendAuthentication(call)).rejects.toMatchObject({
      details: 'The transaction is not waiting for an authentication.',
    });
  });

  it('keep what was sent to themselves', async () => {
    await send(waiting.txid, '918273');
    expect(JSON.stringify(await paymentAt(waiting.txid))).not.toMatch(/918273|Jenny\|4242/);
  });
});

describe('requery', () => {
  const query = (txid: number, fields: Record<string, string> = {}, { sid, rcode }: Tenant = shop) =>
    ask('refunds/requery', { params: { id: txid }, query: { sid: String(sid), rcode }, body: form(fields) });

  it('asks the processor about what is pending, and finds what was lost', async () => {
    const { txid, status } = await pay(shop, '10.62');
    expect(status).toBe('PEND');
    const found = okResult(await query(txid));
    expect(found).toMatchObject({ status: 'OK', amount: 10.62, vrfy: expectedVrfy(shop, found) });
    expect(okResult(await query(txid))).toEqual(found);
    const never = await pay(shop, '10.66');
    expect(okResult(await query(never.txid))).toMatchObject({ status: 'EXC', error_code: 'not_found_at_processor' });
  });

  it('leaves pending what is, and finds it done a minute later', async () => {
    const { txid } = await pay(shop, '10.61');
    expect(okResult(await query(txid)).status).toBe('PEND');
    advanceUntilDecided();
    expect(okResult(await query(txid)).status).toBe('OK');
  });

  it('finds it done a minute later, though its identifier was drawn when those of its millisecond had run out', async () => {
    advance(0);
    while (timeOfId(newTimedId()) <= nowMilliseconds());
    const { txid } = await pay(shop, '10.61');
    expect(timeOfId(txid)).toBe(nowMilliseconds() + 1);
    advanceUntilDecided();
    expect(okResult(await query(txid)).status).toBe('OK');
  });

  it('prefers reference and postback URL of the address to those of the body', async () => {
    const { txid } = await pay(shop, '10.61');
    const query = { sid: String(shop.sid), rcode: shop.rcode, reference: 'asked', postback_url: 'https://a.example/p' };
    const body = { reference: 'sent', postback_url: 'https://shop.example.com/other' };
    okResult(await ask('refunds/requery', { params: { id: txid }, query, body }));
    expect(await paymentAt(txid)).toMatchObject({ reference: 'asked', postbackUrl: 'https://a.example/p' });
  });

  it('takes its inputs from the body as well, and replaces reference and postback URL', async () => {
    const { txid } = await pay(shop, '10.61');
    const { sid, rcode } = shop;
    const body = { sid: String(sid), rcode, reference: 'later', postback_url: 'https://shop.example.com/other' };
    const answer = await ask('refunds/requery', { params: { id: txid }, body });
    expect(okResult(answer)['reference']).toBe('later');
    expect(await paymentAt(txid)).toMatchObject({
      reference: 'later',
      postbackUrl: 'https://shop.example.com/other',
    });
    advanceUntilDecided();
    expect(okResult(await query(txid, { reference: 'last' }))).toMatchObject({ status: 'OK', reference: 'last' });
    expect(okResult(await query(txid, { reference: 'after the end' }))).toMatchObject({ reference: 'after the end' });
  });

  it('refuses a postback URL that leads inside, and says which inputs are missing', async () => {
    const { txid } = await pay(shop, '10.61');
    const inside = await query(txid, { postback_url: 'https://127.0.0.1/' });
    expect(inside).toMatchObject({ status: 400, body: { error_code: 'request_invalid' } });
    expect((await paymentAt(txid)).postbackUrl).toBe('https://shop.example.com/postback');
    expect((await ask('refunds/requery', { params: { id: txid }, body: {} })).body).toMatchObject({
      error_msg: 'sid: is required; rcode: is required',
    });
    const { sid, rcode } = shop;
    expect((await ask('refunds/requery', { params: { id: txid }, body: { sid: String(sid) } })).body).toMatchObject({
      error_msg: 'rcode: is required',
    });
    expect((await ask('refunds/requery', { params: { id: txid }, body: { rcode } })).body).toMatchObject({
      error_msg: 'sid: is required',
    });
  });

  it('answers a wrong rcode, another site and a number in no use alike', async () => {
    const { txid } = await pay(shop, '10.62');
    const wrong = { ...shop, rcode: 'guess' };
    const other = { ...shop, sid: otherTenant.sid };
    const answers = [await query(txid, {}, wrong), await query(txid, {}, otherTenant), await query(txid, {}, other)];
    answers.push(await query(txid + 1));
    expect(new Set(answers.map(shown)).size).toBe(1);
    expect(answers[0]).toMatchObject({
      status: 401,
      body: {
        error_code: 'rcode_wrong',
        error_msg: 'rcode: must be that of the site that made the transaction, and sid its number.',
      },
    });
  });

  it('returns the same result as the settlement worker that runs concurrently', async () => {
    const { txid } = await pay(shop, '10.62');
    advance(2 * milliseconds.minute);
    const answers = await Promise.all([
      query(txid),
      settleEverything(),
      query(txid, { reference: 'mine' }),
      query(txid),
    ]);
    for (const answer of answers) if (answer) expect(okResult(answer).status).toBe('OK');
    expect((await ledgerAt(txid)).captured).toBe(1062n);
    expect((await paymentAt(txid)).reference).toBe('mine');
  });

  it('leaves pending what cannot be queried', async () => {
    const { txid } = await pay(shop, '10.62');
    const order = { txid, sid: shop.sid, rcode: shop.rcode, reference: undefined, postbackUrl: undefined };
    const gone = await askProcessor(order, { processorFor: async () => undefined, alongside: null });
    expect(gone.transaction).toMatchObject({ status: 'PEND', checks: 2 });
    const broken = await askProcessor(order, { processorFor: async () => fakeProcessor({}), alongside: null });
    expect(broken.transaction).toMatchObject({ status: 'PEND', checks: 3 });
  });
});

describe('a payment at Adyen', () => {
  const waiting = async () => {
    const adyenShop = await newShop();
    await routeTo(adyenShop, adyenRoute(accounts.adyen));
    const { txid, next_action } = await pay(adyenShop, '10.00', { card_no: '4000002760003184' });
    return { adyenShop, txid, url: next_action?.url ?? '' };
  };

  it('goes on with the result that the payer brought from the issuer', async () => {
    const { adyenShop, txid, url } = await waiting();
    const send = async (authvalue: string) => {
      const body = form({ authtype: 'redirect', authvalue, hash: statusHash(adyenShop) });
      return okResult(await ask('transactions/sendauth', { params: { id: txid }, body }));
    };
    expect(await send('X-wrong')).toMatchObject({ status: 'PEND', next_action: { type: 'redirect', url } });
    expect(await send(accounts.adyen.authenticate(url, 'approve'))).toMatchObject({ status: 'OK' });
  });

  it.each(['stripe', 'adyen'] as const)('stays pending if resendauth is called for a payment at %s', async (name) => {
    const elsewhere = await newShop();
    await routeTo(elsewhere, name === 'stripe' ? stripeRoute(accounts.stripe) : adyenRoute(accounts.adyen));
    const begun = await pay(elsewhere, '10.00', { card_no: '4000002760003184' });
    const again = await ask('transactions/resendauth', {
      params: { id: begun.txid },
      query: { hash: statusHash(elsewhere) },
    });
    expect(again).toMatchObject({ status: 409, body: { error_code: 'transaction_state_wrong' } });
    expect(await paymentAt(begun.txid)).toMatchObject({ status: 'PEND', nextAction: begun.next_action });
    expect(await ledgerAt(begun.txid)).toMatchObject({ inFlight: { [begun.txid]: { minor: 1000n } } });
  });

  it('is looked for among the webhooks that came', async () => {
    const { adyenShop, txid, url } = await waiting();
    const { sid, rcode } = adyenShop;
    const query = async () =>
      okResult(await ask('refunds/requery', { params: { id: txid }, body: form({ sid: String(sid), rcode }) }));
    expect(await query()).toMatchObject({ status: 'PEND', next_action: { type: 'redirect', url } });
    accounts.adyen.takeWebhooks();
    accounts.adyen.finishPending();
    for (const webhook of accounts.adyen.takeWebhooks()) await accounts.send(adyenShop, 'adyen', webhook);
    expect(await query()).toMatchObject({ status: 'OK' });
  });
});

describe('the declarations', () => {
  it.each(['transactions/flagcapture', 'transactions/sendauth', 'transactions/resendauth', 'refunds/requery'])(
    'of %s say what it uses',
    (name) => {
      expectDeclared(name);
    },
  );
});
