import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds, nowIso, setClock } from '#core/kernel/clock.ts';
import { refusals } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact } from '#core/platform/table/table.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { answering } from '#disputes/refunds/alert-answer-store.ts';
import { findPaymentsOfAlert } from '#disputes/rules/decide/payment-search-flow.ts';
import { captureHash } from '#payments/payments/order/hashes.ts';
import { withChargeback } from '#payments/transactions/ledger/ledger-changes.ts';
import { changedTransactionWrite } from '#payments/transactions/transaction/transaction-row.ts';
import { readKnown, recordReversal } from '#payments/transactions/transaction/transaction-store.ts';
import { newTenant, type Tenant } from '#test/accounts/merchants/tenant.ts';
import { settings } from '#test/disputes/alerts/samples.ts';
import {
  alertAt,
  callsDuring,
  fresh,
  makeRcode,
  outcomesAt,
  seedClaims,
  seedSite,
  take,
} from '#test/disputes/alerts/seed.ts';
import { newShop, pay, preauth } from '#test/payments/transactions/shop.ts';
import {
  advance,
  changeLedger,
  keepWriting,
  ledgerAt,
  paymentAt,
  settleEverything,
  useSandbox,
} from '#test/payments/transactions/support.ts';
import type { Answer } from '#test/support/gateway-event.ts';
import { type As, ask, beforeTransactions, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();
useSandbox();
afterEach(() => setClock());

let shop: Tenant;
let site: Site;
let descriptor: string;
const openShop = async (settingsOfShop: object = {}): Promise<void> => {
  shop = await newShop({ ...settingsOfShop });
  site = await seedSite({ sid: 5000 + fresh(), mid: shop.mid, alert: settings() });
  descriptor = `SHOP ${site.sid}`;
  await seedClaims('provider_a', 'EXACT', descriptor, site);
};
beforeEach(() => openShop());

const dispute = async (amount = '10.00', change: Record<string, unknown> = {}): Promise<number> => {
  const sent = {
    ...{ alertId: `A${fresh()}`, type: 'CUSTOMER_DISPUTE', merchantDescriptor: descriptor, arn: '', authCode: '' },
    ...{ cardBin: '424242', cardLast4: '4242', amount: { value: amount, currencyCode: 'USD' } },
    transactionTimestamp: nowIso(),
    ...change,
  };
  return (await take('provider_a', sent)).alert_id;
};
/** A dispute whose payment was looked for. */
const settledDispute = async (): Promise<number> => {
  const alertId = await dispute();
  await settleDispute(alertId);
  return alertId;
};
/** A payment that a dispute holds. */
const disputedPayment = async () => {
  const { txid } = await pay(shop, '10.00');
  return { txid, alertId: await settledDispute() };
};
const payTen = async (): Promise<void> => {
  await pay(shop, '10.00');
};
type Body = {
  txid?: number;
  alert_status: string;
  transaction: { txid: number; status: string; amount: string; tx_action: string };
  msg: string;
  details: string;
};
const refund = async (alertId: number, body: object = {}, as: As = shop.as) => {
  const answer = await ask('refunds/refund-alert', { as, params: { alert_id: alertId }, body });
  return { status: answer.status, body: answer.body as Body };
};
const processrefund = (parent: number, body: object) =>
  ask('refunds/processrefund', { as: shop.as, params: { parentxid: parent }, body: { currency: 'USD', ...body } });
const answer = (alertId: number, body: object) =>
  ask('alerts/update-alert', {
    as: 'nobody',
    headers: { rcode: makeRcode(site.sid) },
    body: { alert_id: String(alertId), ...body },
  });

it('finds the payment of an alert whose transaction has no time that can be read, and leaves the choice to a person', async () => {
  setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
  await payTen();
  setClock(() => Date.parse('2026-05-22T10:00:00.000Z'));
  const alertId = await dispute('10.00', { transactionTimestamp: '05/02/2026' });
  const match = await findPaymentsOfAlert(await alertAt(alertId));
  expect(match).toMatchObject({
    found: 'uncertain',
    transactions: [{ comment: 'match 40 of 100: card, amount agree' }],
  });
});

describe('the refund of an alert', () => {
  it('answers it, in the transaction that records the refund as done', async () => {
    const { txid, alertId } = await disputedPayment();
    let made: Awaited<ReturnType<typeof refund>> | undefined;
    const calls = await callsDuring(async () => {
      made = await refund(alertId, { comments: 'Sorry', merchant_notes: 'Card 4111 1111 1111 1111' });
    });
    // One of them is the sandbox's own.
    expect(calls).toBe(6);
    expect(made).toMatchObject({
      status: 200,
      body: {
        ...{ status: 'ok', alert_id: alertId, alert_status: 'RESOLVED' },
        transaction: {
          ...{ parent_txid: txid, tx_action: 'REFUND', status: 'OK', amount: '10.00', currency: 'USD' },
          ...{ reference: (await paymentAt(txid)).processorReference, error_code: null, error_msg: null },
        },
      },
    });
    expect(await alertAt(alertId)).toMatchObject({
      status: 'RESOLVED',
      update: {
        ...{ status: 'RESOLVED', reason_code: '100.001', comments: 'Sorry' },
        // A text that looks like a card number is stored by its ends.
        merchant_notes: expect.stringMatching(/^Card 411111\D+1111$/),
        ...{ alert_outcome_amount: '10.00', alert_outcome_currency: 'USD' },
      },
    });
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: true, state: 'PENDING' }]);
    expect(await ledgerAt(txid)).toMatchObject({ refunded: 1000n });
  });

  it('is made once, however often it is asked for', async () => {
    const { txid, alertId } = await disputedPayment();
    const all = await Promise.all([1, 2, 3].map(() => refund(alertId)));
    const again = await refund(alertId, { amount: '10.00' });
    expect(new Set([...all, again].map(({ body }) => body.transaction.txid)).size).toBe(1);
    for (const other of [{ amount: '4.00' }, { amount: '10.00', currency: 'EUR' }]) {
      expect(await refund(alertId, other)).toMatchObject({
        status: 409,
        body: { msg: 'This dispute has been refunded' },
      });
    }
    expect((await ledgerAt(txid)).refunded).toBe(1000n);
  });

  it.each([
    ['has more decimals than its currency', { amount: '4.001' }],
    ['is in a currency that the payment does not have', { amount: '4.00', currency: 'EUR' }],
  ])('is refused if its amount %s', async (_, body) => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await dispute();
    expect(await refund(alertId, body)).toMatchObject({ status: 400, body: { msg: refusals.request_invalid.msg } });
    expect((await ledgerAt(txid)).refunded).toBe(0n);
  });

  it('returns what is left of a payment that was refunded in part before', async () => {
    const { txid } = await pay(shop, '10.00');
    await processrefund(txid, { amount: '4.00' });
    expect((await refund(await dispute())).body.transaction).toMatchObject({ amount: '6.00', status: 'OK' });
    expect((await ledgerAt(txid)).refunded).toBe(1000n);
  });

  it('returns the whole payment if the disputed amount is unknown or in another currency', async () => {
    await seedClaims('provider_b', 'EXACT', descriptor, site);
    for (const disputed of [
      { caseAmount: '4.00', caseCurrency: 'EUR' },
      { caseAmount: '0', transactionAmount: '0' },
    ]) {
      const { txid } = await pay(shop, '10.00');
      const sent = {
        ...{ caseId: `B${fresh()}`, descriptor, accountNumber: '424242xxxxxx4242', authorizationCode: '' },
        ...{ arn: (await paymentAt(txid)).arn, transactionAmount: '10.00', transactionDate: nowIso(), ...disputed },
      };
      const { alert_id: alertId } = await take('provider_b', sent);
      expect(await refund(alertId, { txid })).toMatchObject({
        status: 200,
        body: { transaction: { amount: '10.00' } },
      });
    }
  });

  it('names the alert that has the money, even if more is disputed than was paid', async () => {
    await seedClaims('provider_b', 'EXACT', descriptor, site);
    const { txid } = await pay(shop, '10.00');
    await settleDispute(await dispute());
    const sent = {
      ...{ caseId: `B${fresh()}`, descriptor, accountNumber: '424242xxxxxx4242', arn: '', authorizationCode: '' },
      ...{ transactionAmount: '10.00', caseAmount: '15.00', transactionDate: nowIso() },
    };
    const { alert_id: alertId } = await take('provider_b', sent);
    expect(await refund(alertId, { txid })).toMatchObject({ status: 409, body: { msg: refusals.dispute_open.msg } });
  });

  it('of a payment whose capture is in progress can be repeated once that is known', async () => {
    const { sid, rcode } = shop;
    // The sandbox loses the reply to the capture.
    const { txid } = await preauth(shop, '10.68');
    const body = new URLSearchParams({
      ...{ parent_txid: String(txid), amount: '10.68', hash: captureHash(sid, '10.68', rcode) },
    });
    const captured = await ask('transactions/flagcapture', { params: { id: sid }, body });
    expect(captured).toMatchObject({ status: 200, body: { status: 'PEND' } });
    const alertId = await dispute('10.68');
    expect(await refund(alertId)).toMatchObject({
      status: 409,
      body: { msg: refusals.transaction_state_wrong.msg, details: expect.stringContaining('capture') },
    });
    await settleEverything();
    expect(await refund(alertId)).toMatchObject({ status: 200, body: { transaction: { amount: '10.68' } } });
  });

  it('of a whole payment that is less than what is disputed is answered as a part', async () => {
    const { txid } = await pay(shop, '9.40');
    const alertId = await dispute('9.50');
    expect((await refund(alertId, { txid, amount: '9.40' })).body).toMatchObject({ alert_status: 'RESOLVED' });
    expect((await alertAt(alertId)).update).toMatchObject({ reason_code: '101.001', alert_outcome_amount: '9.40' });
  });

  it('of a part says so', async () => {
    await pay(shop, '10.00');
    const alertId = await dispute();
    expect((await refund(alertId, { amount: '4.00' })).body).toMatchObject({ alert_status: 'RESOLVED' });
    expect((await alertAt(alertId)).update).toMatchObject({ reason_code: '101.001', alert_outcome_amount: '4.00' });
  });

  it('gives back what is disputed and no more, and that is no part', async () => {
    const { txid } = await pay(shop, '39.00');
    await seedClaims('provider_b', 'EXACT', descriptor, site);
    const sent = {
      ...{ caseId: `B${fresh()}`, descriptor, accountNumber: '424242xxxxxx4242', arn: '', authorizationCode: '' },
      ...{ transactionAmount: '39.00', caseAmount: '20.00', transactionDate: nowIso() },
    };
    const { alert_id: alertId } = await take('provider_b', sent);
    expect((await refund(alertId)).body.transaction).toMatchObject({ amount: '20.00' });
    expect((await alertAt(alertId)).update).toMatchObject({ reason_code: '100.001' });
    expect((await ledgerAt(txid)).refunded).toBe(2000n);
  });

  it('with a reason code of its own, which must say that it is refunded', async () => {
    await pay(shop, '10.00');
    const alertId = await dispute();
    expect((await refund(alertId, { reason_code: '902.001' })).status).toBe(400);
    expect((await refund(alertId, { reason_code: '103.001' })).status).toBe(200);
    expect((await alertAt(alertId)).update).toMatchObject({ reason_code: '103.001' });
  });

  it('leaves it open where that is asked for', async () => {
    await pay(shop, '10.00');
    const alertId = await dispute();
    expect((await refund(alertId, { answer: false })).body).toMatchObject({ alert_status: 'OPEN' });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN', update: null });
  });

  it('voids an authorization as a whole, even if less is disputed', async () => {
    await seedClaims('provider_b', 'EXACT', descriptor, site);
    const { txid } = await preauth(shop, '10.00');
    const sent = {
      ...{ caseId: `B${fresh()}`, descriptor, accountNumber: '424242xxxxxx4242', arn: '', authorizationCode: '' },
      ...{ transactionAmount: '10.00', caseAmount: '4.00', transactionDate: nowIso() },
    };
    const { alert_id: alertId } = await take('provider_b', sent);
    expect(await refund(alertId)).toMatchObject({ body: { transaction: { tx_action: 'VOID', amount: '10.00' } } });
    expect(await ledgerAt(txid)).toMatchObject({ voided: 1000n });
  });

  it('voids an authorisation, as a whole, and once', async () => {
    const { txid } = await preauth(shop, '10.00');
    const alertId = await dispute('10.00');
    const { body } = await refund(alertId);
    expect(body).toMatchObject({ alert_status: 'RESOLVED', transaction: { tx_action: 'VOID', amount: '10.00' } });
    expect((await refund(alertId)).body.transaction.txid).toBe(body.transaction.txid);
    expect(await ledgerAt(txid)).toMatchObject({ voided: 1000n });
  });

  it('stays in progress while its result is unknown, and answers the alert once it is known', async () => {
    await pay(shop, '10.00');
    const alertId = await dispute();
    const { body } = await refund(alertId, { amount: '5.62' });
    expect(body).toMatchObject({ alert_status: 'WIP', transaction: { status: 'PEND' } });
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP', update: { reason_code: '999.002' } });
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: false }]);
    expect((await refund(alertId)).body.transaction.txid).toBe(body.transaction.txid);
    await settleEverything();
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', update: { reason_code: '101.001' } });
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: false }, { isFinal: true }]);
  });

  it('that fails leaves it open, and may be tried again', async () => {
    const { txid } = await pay(shop, '20.00');
    const alertId = await dispute('20.00');
    const failed = await refund(alertId, { amount: '10.65' });
    expect(failed).toMatchObject({
      status: 200,
      body: {
        alert_status: 'OPEN',
        transaction: { status: 'EXC', error_code: 'refund_failed', error_msg: expect.stringMatching(/./) },
      },
    });
    const { body } = await refund(alertId);
    expect(body).toMatchObject({ alert_status: 'RESOLVED', transaction: { amount: '20.00', status: 'OK' } });
    expect((await ledgerAt(txid)).refunded).toBe(2000n);
  });

  it('is not made if the alert is answered just before the refund is reserved', async () => {
    const { txid, alertId } = await disputedPayment();
    let isFirst = true;
    beforeTransactions(async () => {
      if (!isFirst) return;
      isFirst = false;
      beforeTransactions();
      expect((await answer(alertId, { status: 'DECLINED', reason_code: '902.002' })).status).toBe(200);
    });
    expect(await refund(alertId)).toMatchObject({ status: 409, body: { msg: refusals.alert_closed.msg } });
    expect(await alertAt(alertId)).toMatchObject({ status: 'DECLINED' });
    expect((await ledgerAt(txid)).refunded).toBe(0n);
    expect(await outcomesAt(alertId)).toHaveLength(1);
  });

  it('that fails does not undo an answer that its merchant gave in the meantime', async () => {
    await pay(shop, '20.00');
    const alertId = await dispute('20.00');
    expect((await refund(alertId, { amount: '5.66' })).body).toMatchObject({ alert_status: 'WIP' });
    const own = { status: 'RESOLVED', reason_code: '103.001', comments: 'Refunded by hand, account closed' };
    expect(await answer(alertId, own)).toMatchObject({ status: 200 });
    await settleEverything();
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', update: own });
    expect(await outcomesAt(alertId)).toMatchObject([{ isFinal: false }, { isFinal: true, state: 'PENDING' }]);
  });

  it('of one that is answered is refused', async () => {
    const { alertId } = await disputedPayment();
    await answer(alertId, { status: 'DECLINED', reason_code: '902.002' });
    expect(await refund(alertId)).toMatchObject({
      status: 409,
      body: { msg: 'The alert already has another outcome', details: expect.stringContaining('the alert is DECLINED') },
    });
  });

  it('notifies a site that asked for every status', async () => {
    await pay(shop, '10.00');
    const alertId = await dispute();
    await refund(alertId);
    expect(await outcomesAt(alertId)).toMatchObject([{ statusDueAt: expect.any(String) }]);
  });

  it.each([
    ['amount_not_available', {}, () => payTen(), { amount: '10.01' }],
    ['refund_not_allowed', { allow_refund: 0 }, () => payTen(), {}],
    [
      'transaction_state_wrong',
      {},
      async () => {
        const { txid } = await preauth(shop, '10.00');
        expect((await processrefund(txid, { amount: '10.00' })).status).toBe(200);
      },
      {},
    ],
    [
      'dispute_open',
      {},
      async () => {
        await pay(shop, '10.00');
        await settleDispute(await dispute());
      },
      {},
    ],
  ] as const)('is refused with %s', async (code, settingsOfShop, prepare, body) => {
    if ('allow_refund' in settingsOfShop) await openShop(settingsOfShop);
    await prepare();
    const alertId = await dispute();
    expect(await refund(alertId, body)).toMatchObject({ status: 409, body: { msg: refusals[code].msg } });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
  });

  it('gives up where others write all the time', async () => {
    const { txid, alertId } = await disputedPayment();
    keepWriting(txid);
    expect(await refund(alertId)).toMatchObject({ status: 409, body: { msg: refusals.changed_meanwhile.msg } });
  });

  it.each([
    ['is still searched for', milliseconds.hour],
    ['is searched for no longer', 8 * milliseconds.day],
  ])('is refused for an alert whose payment %s and was not found', async (_, age) => {
    const alertId = await dispute('33.00');
    advance(age);
    expect(await refund(alertId)).toMatchObject({ status: 409, body: { msg: refusals.payment_not_linked.msg } });
  });

  it('is refused at a connection that does not exist or does not respond', async () => {
    const alertId = await dispute('34.00');
    const at = (connection: string) => refund(alertId, { connection, reference: 'ch_1' });
    expect(await at('cn_nobodys')).toMatchObject({ status: 404, body: { msg: refusals.connection_not_found.msg } });
    process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
    const credentials = { secret_key: 'rk_test_nowhere', base_url: 'http://127.0.0.1:1' };
    const connections = [{ kind: 'stripe', label: 'Nowhere', credentials }];
    const set = await ask('connections/set-connections', {
      as: shop.as,
      params: { mid: shop.mid },
      body: { connections },
    });
    const [{ id }] = (set.body as { connections: [{ id: string }] }).connections;
    expect(await at(id)).toMatchObject({ status: 409, body: { msg: refusals.connection_unavailable.msg } });
    delete process.env['ALLOW_LOOPBACK_HTTP'];
  });

  it('is made at a connection for the amount captured there', async () => {
    const connections = [{ kind: 'sandbox', label: 'Trial' }];
    const set = await ask('connections/set-connections', {
      as: shop.as,
      params: { mid: shop.mid },
      body: { connections },
    });
    const [{ id: connection }] = (set.body as { connections: [{ id: string }] }).connections;
    const yesterday = new Date(Date.parse(nowIso()) - milliseconds.day).toISOString().slice(0, 10).replaceAll('-', '');
    const reference = `sbc_${yesterday}_18`;
    const alertId = await dispute('49.99');
    expect((await refund(alertId, { connection, reference })).body).toMatchObject({
      ...{ alert_status: 'RESOLVED', transaction: { status: 'OK', amount: '49.99', reference } },
    });
  });

  it('at a connection is made there', async () => {
    setClock(() => Date.parse('2026-05-02T22:30:00Z'));
    const connections = [{ kind: 'sandbox', label: 'Trial' }];
    const set = await ask('connections/set-connections', {
      as: shop.as,
      params: { mid: shop.mid },
      body: { connections },
    });
    const [{ id: connection }] = (set.body as { connections: [{ id: string }] }).connections;
    const made = await refund(await dispute('49.99'), { connection, reference: 'sbc_20260502_18' });
    expect(made).toMatchObject({ status: 200, body: { alert_status: 'RESOLVED', transaction: { amount: '49.99' } } });
  });

  it('of one that only informs is refused', async () => {
    const alertId = await dispute('10.00', { type: 'FRAUD_NOTICE' });
    expect(await refund(alertId)).toMatchObject({ status: 409, body: { msg: refusals.alert_takes_no_outcome.msg } });
  });

  it('is refused for an alert or a payment of another merchant', async () => {
    await pay(shop, '10.00');
    const alertId = await dispute();
    const other = await newTenant();
    expect(await refund(alertId, {}, other.as)).toMatchObject({ status: 404, body: { msg: 'No such alert' } });
    const strange = await newShop();
    const theirs = await pay(strange, '10.00');
    const unlinked = await dispute('55.00');
    const none = await refund(unlinked, { txid: 1_000_000_000_001 });
    expect(none).toMatchObject({ status: 409, body: { msg: 'The alert has no such transaction' } });
    expect((await refund(unlinked, { txid: theirs.txid })).body).toEqual(none.body);
    const limited = { mid: shop.mid, sites: [site.sid] };
    expect((await refund(unlinked, { txid: 1_000_000_000_001 }, limited)).body).toEqual(none.body);
    // The same for an alert that holds a payment: no call shows which numbers the payments of other merchants have.
    await settleDispute(alertId);
    expect((await refund(alertId, { txid: theirs.txid })).body).toEqual(none.body);
    expect((await ledgerAt(theirs.txid)).refunded).toBe(0n);
  });

  it('is not made of another payment than the one that the alert holds', async () => {
    const { alertId } = await disputedPayment();
    const { txid } = await pay(shop, '10.00');
    expect(await refund(alertId, { txid })).toMatchObject({
      status: 409,
      body: { msg: refusals.payment_not_linked.msg },
    });
    expect((await ledgerAt(txid)).refunded).toBe(0n);
  });
});

describe('of several payments that an alert can be about', () => {
  it('one is named in the refund', async () => {
    const payments = [await pay(shop, '10.00'), await pay(shop, '10.00')];
    const alertId = await dispute();
    expect((await refund(await dispute('33.00'))).body.details).toBe('txid: the alert holds no payment.');
    // The first call finds them, before any worker has.
    expect((await refund(alertId)).body.details).toContain('potential_txids');
    const [, second] = payments;
    const { body } = await refund(alertId, { txid: second?.txid });
    expect(body).toMatchObject({ alert_status: 'RESOLVED', transaction: { parent_txid: second?.txid } });
    expect((await ledgerAt(payments[0]?.txid ?? 0)).refunded).toBe(0n);
    const details = await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } });
    const { history } = details.body as { history: { change: { event: string; to: object } }[] };
    expect(history.map(({ change }) => change)).toContainEqual(
      expect.objectContaining({ event: 'payment linked', to: expect.objectContaining({ txid: second?.txid }) }),
    );
  });

  it('one is linked, and held from then on', async () => {
    const [first] = [await pay(shop, '10.00'), await pay(shop, '10.00')];
    const alertId = await settledDispute();
    const link = (txid: number) =>
      ask('refunds/link-alert', { as: shop.as, params: { alert_id: alertId }, body: { txid } });
    const foreign = await pay(shop, '11.00');
    expect(await link(foreign.txid)).toMatchObject({ status: 409 });
    for (const _ of [1, 2]) {
      expect(await link(first.txid)).toMatchObject({ status: 200, body: { alert_id: alertId, held_txid: first.txid } });
    }
    expect((await ledgerAt(first.txid)).disputes[alertId]).toMatchObject({ open: true, held: 1000n });
    const details = await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } });
    const { history } = details.body as { history: { change: { event: string; to: object } }[] };
    expect(history.filter(({ change }) => change.event === 'payment linked')).toMatchObject([
      { by: expect.any(String), change: { to: { txid: first.txid, match: { score: 50 } } } },
    ]);
  });
});

describe('POST /alert/{alert_id}/link with txid null', () => {
  const link = (alertId: number, txid: number | null, as: As = shop.as) =>
    ask('refunds/link-alert', { as, params: { alert_id: alertId }, body: { txid } });
  const labelsOf = async (alertId: number) => {
    const details = await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } });
    const { history } = details.body as { history: { change: { event: string; from: object; to: object } }[] };
    return history.filter(({ change }) => change.event.startsWith('payment ')).map(({ change }) => change);
  };

  it('releases the matched payment, and records the decision with the reasons for the match', async () => {
    const { txid, alertId } = await disputedPayment();
    expect((await ledgerAt(txid)).disputes[alertId]).toMatchObject({ open: true, held: 1000n });
    for (const _ of [1, 2]) {
      expect(await link(alertId, null)).toMatchObject({ status: 200, body: { held_txid: null } });
    }
    await settleDispute(alertId);
    expect((await ledgerAt(txid)).disputes).toEqual({});
    expect(await refund(alertId)).toMatchObject({
      status: 409,
      body: { msg: refusals.payment_not_linked.msg },
    });
    expect(await processrefund(txid, { amount: '10.00', alert_id: alertId })).toMatchObject({ status: 404 });
    expect((await ledgerAt(txid)).refunded).toBe(0n);
    expect(await labelsOf(alertId)).toMatchObject([
      { event: 'payment unlinked', from: { txid, match: { score: 50 } }, to: {} },
    ]);
    expect(await findPaymentsOfAlert(await alertAt(alertId))).toMatchObject({ found: 'none' });
  });

  it('releases only the named payment, even if the call is repeated', async () => {
    const [first, second] = [await pay(shop, '10.00'), await pay(shop, '10.00')];
    const alertId = await settledDispute();
    await link(alertId, first.txid);
    const release = () =>
      ask('refunds/link-alert', {
        as: shop.as,
        params: { alert_id: alertId },
        body: { txid: null, held_txid: first.txid },
      });
    expect(await release()).toMatchObject({ status: 200, body: { held_txid: null } });
    await settleDispute(alertId);
    expect(await release()).toMatchObject({ status: 200, body: { held_txid: second.txid } });
    expect((await ledgerAt(second.txid)).disputes[alertId]).toMatchObject({ open: true, held: 1000n });
    await link(alertId, null);
    await link(alertId, first.txid);
    const other = { as: shop.as, params: { alert_id: alertId }, body: { txid: null, held_txid: 999 } };
    expect(await ask('refunds/link-alert', other)).toMatchObject({
      status: 409,
      body: { msg: refusals.payment_not_linked.msg, details: expect.stringContaining(`holds payment ${first.txid}`) },
    });
  });

  it('makes the alert hold the other matching payment, which can be released and linked again', async () => {
    const [first, second] = [await pay(shop, '10.00'), await pay(shop, '10.00')];
    const alertId = await settledDispute();
    await link(alertId, first.txid);
    await link(alertId, null);
    await settleDispute(alertId);
    expect((await ledgerAt(second.txid)).disputes[alertId]).toMatchObject({ open: true, held: 1000n });
    await link(alertId, null);
    expect(await link(alertId, second.txid)).toMatchObject({ status: 200 });
    const events = (await labelsOf(alertId)).map(({ event }) => event);
    const [linked, unlinked] = ['payment linked', 'payment unlinked'];
    expect(events).toEqual([linked, unlinked, unlinked, linked]);
  });

  it('returns 409 if no payment is held, if it was refunded, or if the alert is answered', async () => {
    const none = await dispute('77.00');
    expect(await link(none, null)).toMatchObject({ status: 409, body: { msg: refusals.payment_not_linked.msg } });
    const { txid } = await pay(shop, '10.00');
    const refunded = await dispute();
    await settleDispute(refunded);
    expect(await processrefund(txid, { amount: '4.00', alert_id: refunded, answer: false })).toMatchObject({
      status: 200,
    });
    expect(await link(refunded, null)).toMatchObject({
      ...{ status: 409, body: { msg: refusals.already_refunded_for_dispute.msg } },
    });
    await answer(none, { status: 'DECLINED', reason_code: '902.002' });
    expect(await link(none, null)).toMatchObject({ status: 409, body: { msg: refusals.alert_closed.msg } });
    expect(await link(none, null, (await newTenant()).as)).toMatchObject({ status: 404 });
  });
});

describe('processrefund with the number of an alert', () => {
  it('answers the alert, unless the call says not to', async () => {
    const [one, other] = [await pay(shop, '10.00'), await pay(shop, '12.00')];
    const [answered, left] = [await dispute('10.00'), await dispute('12.00')];
    await settleDispute(answered);
    await settleDispute(left);
    expect(await processrefund(one.txid, { amount: '10.00', alert_id: answered })).toMatchObject({ status: 200 });
    await processrefund(other.txid, { amount: '12.00', alert_id: left, answer: false });
    expect(await alertAt(answered)).toMatchObject({ status: 'RESOLVED', update: { reason_code: '100.001' } });
    expect(await alertAt(left)).toMatchObject({ status: 'OPEN' });
  });
});

describe('processrefund of a payment that a dispute alert holds', () => {
  it.each([
    ['that has come in ten minutes ago and has not found it yet', 'unsettled', 10],
    ['that has held it for an hour', 'settled', 60],
  ] as const)('answers an alert %s', async (_, when, minutes) => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await dispute();
    if (when === 'settled') await settleDispute(alertId);
    advance(minutes * milliseconds.minute);
    expect(await processrefund(txid, { amount: '10.00' })).toMatchObject({ status: 200 });
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
  });

  it('answers the alert that holds the money, not an earlier one that found nothing left', async () => {
    const { txid } = await pay(shop, '10.00');
    const earlier = await dispute();
    const holding = await dispute();
    await settleDispute(holding);
    await settleDispute(earlier);
    expect(await processrefund(txid, { amount: '10.00' })).toMatchObject({ status: 200 });
    expect([(await alertAt(earlier)).status, (await alertAt(holding)).status]).toEqual(['OPEN', 'RESOLVED']);
  });

  it('refuses a second refund while the alert has one and holds the rest', async () => {
    const { txid, alertId } = await disputedPayment();
    expect(await processrefund(txid, { amount: '4.00', alert_id: alertId, answer: false })).toMatchObject({
      status: 200,
    });
    const second = await processrefund(txid, { amount: '4.00' });
    expect(second).toMatchObject({ status: 409, body: { msg: refusals.dispute_open.msg } });
    expect((await ledgerAt(txid)).refunded).toBe(400n);
  });

  it('is not a refund for an alert that was answered before', async () => {
    const { txid } = await preauth(shop, '10.00');
    const alertId = await dispute('10.00');
    await settleDispute(alertId);
    await answer(alertId, { status: 'DECLINED', reason_code: '902.002' });
    await settleDispute(alertId);
    const { status, body } = await processrefund(txid, { amount: '10.00' });
    expect(status).toBe(200);
    expect(await paymentAt((body as Body).txid ?? 0)).toMatchObject({ action: 'VOID', alertId: null });
  });

  it('is refused with again, which names no alert, while the alert holds the money', async () => {
    const { txid, alertId } = await disputedPayment();
    const refused = await processrefund(txid, { amount: '10.00', again: true });
    expect(refused).toMatchObject({ status: 409, body: { msg: refusals.dispute_open.msg } });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
  });

  it('does not search the alerts of a card where the payment has none', async () => {
    const { txid } = await pay(shop, '12.00');
    await dispute('10.00');
    const before = await paymentAt(txid);
    await transact({ row: changedTransactionWrite(before, { ...before, card: null }) });
    expect(await processrefund(txid, { amount: '12.00' })).toMatchObject({ status: 200 });
  });

  it.each([['before'], ['after']] as const)(
    'answers the alert without naming it, %s it found its payment',
    async (when) => {
      const { txid } = await pay(shop, '10.00');
      const alertId = await dispute();
      if (when === 'after') await settleDispute(alertId);
      const sent = { amount: '10.00', tid: `refund-${txid}` };
      const { status, body } = await processrefund(txid, sent);
      expect(status).toBe(200);
      expect((await ledgerAt(txid)).disputes[alertId]).toMatchObject({ refundTxid: (body as Body).txid });
      expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', update: { reason_code: '100.001' } });
      // Repeated after the alert is answered, it is the same refund.
      await settleDispute(alertId);
      expect(await processrefund(txid, sent)).toMatchObject({ status: 200, body: { txid: (body as Body).txid } });
      expect((await ledgerAt(txid)).refunded).toBe(1000n);
    },
  );

  it('answers the alert about an authorization that it voids', async () => {
    const { txid } = await preauth(shop, '10.00');
    const alertId = await dispute('10.00');
    expect(await processrefund(txid, { amount: '10.00' })).toMatchObject({ status: 200 });
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
  });

  it('leaves the alert open if the call says so', async () => {
    const { txid } = await pay(shop, '10.00');
    const alertId = await dispute();
    expect(await processrefund(txid, { amount: '10.00', answer: false })).toMatchObject({ status: 200 });
    expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
    expect((await ledgerAt(txid)).disputes[alertId]).toMatchObject({ open: true, refundTxid: expect.any(Number) });
  });

  it('answers the alert that holds the payment, not one of the same card about another', async () => {
    const [one, other] = [await pay(shop, '10.00'), await pay(shop, '12.00')];
    const [about, aboutOther] = [await dispute('10.00'), await dispute('12.00')];
    expect(await processrefund(other.txid, { amount: '12.00' })).toMatchObject({ status: 200 });
    expect(await alertAt(about)).toMatchObject({ status: 'OPEN' });
    expect(await alertAt(aboutOther)).toMatchObject({ status: 'RESOLVED' });
    expect((await ledgerAt(one.txid)).refunded).toBe(0n);
  });

  it('does not ask for alert_id if the network has refunded the payment', async () => {
    await seedClaims('rdr', 'EXACT', descriptor, site);
    const { txid } = await pay(shop, '10.00');
    const sent = {
      ...{ decisionId: `R${fresh()}`, paymentDescriptor: descriptor, arn: '', authCode: '', decision: 'ACCEPTED' },
      ...{ cardBin: '424242', cardLast4: '4242', transactionDate: nowIso() },
      ...{ transactionAmount: '10.00', transactionCurrency: 'USD', acquirerBin: '', cardAcceptorId: '' },
    };
    const { alert_id: alertId } = await take('rdr', sent);
    await settleDispute(alertId);
    const refused = await processrefund(txid, { amount: '10.00' });
    expect(refused).toMatchObject({ status: 409, body: { details: expect.stringContaining(`alert ${alertId}`) } });
    expect((refused.body as Body).details).not.toContain('send alert_id');
    expect(await processrefund(txid, { amount: '10.00', alert_id: alertId })).toMatchObject({ status: 409 });
  });

  it('answers its alert with a date that is not before it', async () => {
    const { alertId } = await disputedPayment();
    let now = Date.now();
    setClock(() => {
      now += 1000;
      return now;
    });
    const { txid } = (await refund(alertId)).body.transaction;
    const { createdAt } = await paymentAt(txid);
    const { update } = await alertAt(alertId);
    expect(String(update?.alert_outcome_action_date) >= createdAt).toBe(true);
  });
});

describe('a refund that is returned after it answered its alert', () => {
  const refunded = async () => {
    const { txid } = await pay(shop, '20.00');
    const alertId = await dispute('20.00');
    const made = (await refund(alertId, { amount: '8.00' })).body.transaction;
    const comesBack = async () => {
      const known = await readKnown({ txid: made.txid, parentTxid: txid });
      await recordReversal(known, 'refund_failed', 'rcode', answering());
    };
    return { txid, alertId, made, comesBack };
  };

  it('lets its payment go with the next answer, however soon that comes', async () => {
    const { txid, alertId, comesBack } = await refunded();
    await comesBack();
    const body = { status: 'DECLINED', reason_code: '902.002' };
    const answered = await ask('alerts/answer-alert', { as: shop.as, params: { alert_id: alertId }, body });
    expect(answered).toMatchObject({ status: 200 });
    await settleDispute(alertId);
    expect((await ledgerAt(txid)).disputes[alertId]).toMatchObject({ open: false, held: 0n });
  });

  it('reopens the alert for its merchant if the network has not received the answer', async () => {
    const { txid, alertId, made, comesBack } = await refunded();
    await settleDispute(alertId);
    await comesBack();
    expect(await alertAt(alertId)).toMatchObject({ status: 'WIP', update: { reason_code: '999.002' }, outcomes: 2 });
    const details = await ask('alerts/alert-details', { as: shop.as, params: { alert_id: alertId } });
    const { history } = details.body as { history: object[] };
    expect(history).toContainEqual(expect.objectContaining({ by: `refund ${made.txid}: refund_failed` }));
    expect((await alertAt(alertId)).update).not.toHaveProperty('alert_outcome_amount');
    expect(await outcomesAt(alertId)).toMatchObject([
      { isFinal: true, state: 'SUPERSEDED' },
      { isFinal: false, state: 'PENDING' },
    ]);
    await settleDispute(alertId);
    expect((await ledgerAt(txid)).disputes[alertId]).toMatchObject({ open: true, held: 2000n });
    expect((await refund(alertId, { amount: '12.00' })).body).toMatchObject({ alert_status: 'RESOLVED' });
    expect((await ledgerAt(txid)).refunded).toBe(1200n);
  });

  it('tells a site that asks for every status', async () => {
    const all = {
      status_update_opt_in: true,
      statusupdate_url: 'https://a.example/s',
      status_update_statuses: 'all',
    } as const;
    site = await seedSite({ sid: 5000 + fresh(), mid: shop.mid, alert: settings(all) });
    descriptor = `SHOP ${site.sid}`;
    await seedClaims('provider_a', 'EXACT', descriptor, site);
    const { alertId, comesBack } = await refunded();
    await comesBack();
    const outcomes = await outcomesAt(alertId);
    expect(outcomes).toMatchObject([{ statusDueAt: null }, { statusDueAt: expect.any(String), isFinal: false }]);
  });

  it('leaves an answer that the merchant gave to an alert whose refund answered nothing', async () => {
    const { txid } = await pay(shop, '20.00');
    const alertId = await dispute('20.00');
    const made = (await refund(alertId, { answer: false })).body.transaction;
    const own = { status: 'RESOLVED', reason_code: '103.001' };
    expect(await answer(alertId, own)).toMatchObject({ status: 200 });
    const known = await readKnown({ txid: made.txid, parentTxid: txid });
    await recordReversal(known, 'refund_failed', 'rcode', answering());
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', update: own, outcomes: 1 });
  });

  it('raises an alarm if the network has been notified', async () => {
    const { alertId, comesBack } = await refunded();
    const [outcome] = await outcomesAt(alertId);
    const item = await getItem(keys.outcome(outcome?.id ?? ''));
    await putItem({ ...item, attemptCount: 1 });
    await comesBack();
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED', outcomes: 1 });
  });
});

it('a payment is not linked while others keep writing, or once its alert is answered', async () => {
  const [first] = [await pay(shop, '10.00'), await pay(shop, '10.00')];
  const alertId = await settledDispute();
  const link = (): Promise<Answer> =>
    ask('refunds/link-alert', { as: shop.as, params: { alert_id: alertId }, body: { txid: first.txid } });
  keepWriting(first.txid);
  expect(await link()).toMatchObject({ status: 409, body: { msg: refusals.changed_meanwhile.msg } });
  beforeTransactions();
  await answer(alertId, { status: 'DECLINED', reason_code: '902.002' });
  expect(await link()).toMatchObject({ status: 409, body: { msg: refusals.alert_closed.msg } });
  const other = { as: (await newTenant()).as, params: { alert_id: alertId }, body: { txid: first.txid } };
  expect(await ask('refunds/link-alert', other)).toMatchObject({ status: 404 });
});

it('is not made of a payment that is charged back', async () => {
  const { txid, alertId } = await disputedPayment();
  await changeLedger(txid, (ledger) => withChargeback(ledger, 'cb_1', { minor: 1000n, taken: true }));
  expect(await refund(alertId)).toMatchObject({ status: 409, body: { msg: refusals.charged_back.msg } });
  expect(await alertAt(alertId)).toMatchObject({ status: 'OPEN' });
});

it('a refund requires an API key for the site that took the payment', async () => {
  const { txid, alertId } = await disputedPayment();
  const { sid } = await paymentAt(txid);
  const refused = { status: 409, body: { msg: refusals.payment_not_linked.msg } };
  expect(await refund(alertId, {}, { mid: shop.mid, sites: [site.sid] })).toMatchObject(refused);
  expect((await ledgerAt(txid)).refunded).toBe(0n);
  expect(await refund(alertId, {}, { mid: shop.mid, sites: [site.sid, sid] })).toMatchObject({ status: 200 });
});

it('needs no more than is declared', () => {
  for (const name of ['refunds/refund-alert', 'refunds/link-alert']) expectDeclared(name);
});

describe('a refund above what the site lets its rules refund', () => {
  const until = (freshUntil: string): As => ({ mid: shop.mid, role: 'manager', freshUntil });
  const late = () => until('2020-01-01T00:00:00.000Z');
  const limited = async (): Promise<{ alertId: number; txid: number }> => {
    await openShop();
    const { txid } = await pay(shop, '10.00');
    site = await seedSite({
      ...{ sid: 5000 + fresh(), mid: shop.mid, profile: { ...site.profile, currency: 'USD' } },
      alert: { ...settings(), max_refund_amount: '5.00' },
    });
    descriptor = `SHOP ${site.sid}`;
    await seedClaims('provider_a', 'EXACT', descriptor, site);
    const alertId = await settledDispute();
    return { alertId, txid };
  };
  const again = { status: 403, body: { code: 'fresh_sign_in_needed' } };

  it('requires a fresh sign-in from people, but not from programs', async () => {
    const { alertId } = await limited();
    expect(await refund(alertId, {}, late())).toMatchObject(again);
    expect(await refund(alertId, { amount: '5.01', currency: 'USD' }, late())).toMatchObject(again);
    expect(await refund(alertId, { amount: '5.00', currency: 'USD' }, late())).toMatchObject({ status: 200 });
    const other = await limited();
    expect(await refund(other.alertId)).toMatchObject({ status: 200, body: { transaction: { amount: '10.00' } } });
    const { alertId: third } = await limited();
    expect(await refund(third, {}, until('2999-01-01T00:00:00.000Z'))).toMatchObject({ status: 200 });
  });

  it('asks for it in another currency than the limit’s as well', async () => {
    const { alertId } = await limited();
    expect(await refund(alertId, { amount: '1.00', currency: 'EUR' }, late())).toMatchObject(again);
  });

  it('is no matter of a payment without an alert, which an analyst may refund as well', async () => {
    await openShop();
    const { txid } = await pay(shop, '10.00');
    const refunded = (as: As, amount: string) =>
      ask('refunds/processrefund', { as, params: { parentxid: txid }, body: { amount, currency: 'USD' } });
    expect(await refunded(late(), '4.00')).toMatchObject({ status: 200 });
    expect(await refunded({ mid: shop.mid, role: 'analyst' }, '3.00')).toMatchObject({ status: 200 });
    expect(await refunded(shop.as, '1.001')).toMatchObject({ status: 400, body: { code: 'request_invalid' } });
  });

  it('asks for it where the alert is named in the refund of a payment', async () => {
    const { alertId, txid } = await limited();
    const named = (amount: string, as: As) => {
      const body = { alert_id: alertId, amount, currency: 'USD' };
      return ask('refunds/processrefund', { as, params: { parentxid: txid }, body });
    };
    expect(await named('10.00', late())).toMatchObject(again);
    expect(await named('10.00', shop.as)).toMatchObject({ status: 200, body: { status: 'OK' } });
  });
});
