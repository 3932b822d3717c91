import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toRetailerItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { setClock } from '#core/kernel/clock.ts';
import { putItem, transact } from '#core/platform/table/table.ts';
import { reserveInLedger, settleReservation } from '#payments/transactions/ledger/ledger-changes.ts';
import { ledgerWrites } from '#payments/transactions/ledger/ledger-row.ts';
import { listEvents } from '#payments/transactions/transaction/payment-history.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { newTransactionWrite } from '#payments/transactions/transaction/transaction-row.ts';
import { postbackWrites } from '#payments/transactions/transaction/transaction-store.ts';
import { aPayment, seedPayment, seedPaymentSite, toLedger, visaCard } from '#test/payments/cardsearch/seed.ts';
import { type As, ask, expectDeclared, useOperations } from '#test/support/operations.ts';

useOperations();

type Row = { txid: number; amount: string; card: string | null; status: string };
type Page = { list: Row[]; totalResult: number | null; next_cursor: string | null };

let site: Site;
let as: As;
beforeEach(async () => {
  setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
  ({ site } = await seedPaymentSite());
  as = { mid: site.mid };
});
afterEach(() => setClock());

const paid = (day: number, change: Partial<Transaction> = {}) =>
  seedPayment(site, { createdAt: `2026-04-${String(day).padStart(2, '0')}T08:15:00.000Z`, ...change });
const list = async (body: Record<string, unknown> = {}, caller: As = as): Promise<Page> =>
  (await ask('transactions/list-transactions', { as: caller, body })).body as Page;
const txids = async (body: Record<string, unknown> = {}) => (await list(body)).list.map(({ txid }) => txid);

describe('the list of transactions', () => {
  it('shows them newest first, amounts exactly and cards masked', async () => {
    const [first, second] = [await paid(1), await paid(2, { money: { minor: '5', currency: 'JPY' } })];
    const page = await list();
    expect(page).toMatchObject({ totalResult: 2, next_cursor: null });
    expect(page.list.map(({ txid, amount, card }) => [txid, amount, card])).toEqual([
      [second.txid, '5', '411111******1111'],
      [first.txid, '361.56', '411111******1111'],
    ]);
  });

  it('is filtered by status, action, card, tid, number, site and date', async () => {
    const plain = await paid(1);
    const declined = await paid(2, {
      status: 'EXC',
      error: { code: 'card_declined', message: 'The card was declined' },
    });
    const other = await paid(3, { card: visaCard('5555555555554444'), tid: 'order 77' });
    const { site: second } = await seedPaymentSite({ mid: site.mid });
    const elsewhere = await seedPayment(second, { createdAt: '2026-04-04T00:00:00.000Z' });
    expect(await txids({ status: 'EXC' })).toEqual([declined.txid]);
    expect(await txids({ tx_action: ['REFUND'] })).toEqual([]);
    expect(await txids({ card_firstsix: '411111', card_lastfour: '1111', sid: site.sid })).toEqual([
      declined.txid,
      plain.txid,
    ]);
    expect(await txids({ card_firstsix: '555555' })).toEqual([other.txid]);
    expect(await txids({ card_lastfour: '4444' })).toEqual([other.txid]);
    expect(await txids({ tid: 'order 77' })).toEqual([other.txid]);
    expect(await txids({ txid: plain.txid })).toEqual([plain.txid]);
    expect(await txids({ sid: second.sid })).toEqual([elsewhere.txid]);
    expect(await txids({ date_from: '2026-04-02', date_to: '2026-04-02' })).toEqual([declined.txid]);
  });

  it('goes on behind each page, filtered or not, without a gap or a double', async () => {
    const all: number[] = [];
    for (let day = 1; day <= 9; day += 1) all.unshift((await paid(day, day % 2 ? {} : { status: 'EXC' })).txid);
    const read = async (filter: Record<string, unknown>) => {
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page: Page = await list({ ...filter, size: 2, ...(cursor && { cursor }) });
        seen.push(...page.list.map(({ txid }) => txid));
        cursor = page.next_cursor;
      } while (cursor !== null);
      return seen;
    };
    expect(await read({})).toEqual(all);
    expect(await read({ status: 'OK' })).toEqual(all.filter((_, index) => index % 2 === 0));
    expect(await read({ order: 'ASC' })).toEqual(all.toReversed());
  });

  it('shows a merchant its own alone; an administrator says whose', async () => {
    const { txid } = await paid(1);
    const { site: foreign } = await seedPaymentSite();
    const theirs = { mid: foreign.mid };
    expect(await list({}, theirs)).toMatchObject({ list: [] });
    for (const body of [{ mid: site.mid }, { sid: site.sid }])
      expect(await ask('transactions/list-transactions', { as: theirs, body })).toMatchObject({ status: 404 });
    expect((await list({ sid: site.sid }, 'admin')).list).toMatchObject([{ txid }]);
    expect(await ask('transactions/list-transactions', { as: 'admin', body: {} })).toMatchObject({
      status: 400,
      body: { details: 'mid: is required for an administrator' },
    });
    const retailer = { mid: site.mid, name: 'R', merchantName: 'M', createdAt: site.createdAt, profile: {} };
    for (const rid of [site.rid, site.rid + 500_000]) await putItem(toRetailerItem({ ...retailer, rid }));
    expect((await list({ rid: site.rid })).list).toMatchObject([{ txid }]);
    expect((await list({ rid: site.rid, sid: site.sid })).list).toMatchObject([{ txid }]);
    expect(await list({ rid: site.rid + 500_000 })).toMatchObject({ list: [], next_cursor: null });
    expect(await ask('transactions/list-transactions', { as: theirs, body: { rid: site.rid } })).toMatchObject({
      status: 404,
    });
  });
});

describe('the details of a payment', () => {
  const refunded = async () => {
    const payment = aPayment(site);
    const refund = aPayment(site, {
      parentTxid: payment.txid,
      action: 'REFUND',
      money: { minor: '10000', currency: 'USD' },
      alertId: 7,
      by: 'mara',
      createdAt: '2026-05-01T00:00:00.000Z',
    });
    const before = toLedger(payment);
    const wanted = { txid: refund.txid, kind: 'REFUND', minor: 10000n, alertId: 7 } as const;
    const ledger = settleReservation(reserveInLedger(before, wanted), { txid: refund.txid, succeeded: true });
    await transact({
      rows: [newTransactionWrite(payment), newTransactionWrite(refund)],
      ...ledgerWrites(null, ledger),
    });
    return { payment, refund };
  };

  it('show where its money is, what was done to it, and by whom', async () => {
    const { payment, refund } = await refunded();
    // Of the same card, and no part of it.
    await seedPayment(site, { createdAt: '2026-05-01T01:00:00.000Z' });
    const { status, body } = await ask('transactions/transaction-details', { as, params: { parentxid: payment.txid } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      txid: payment.txid,
      amount: '361.56',
      ledger: { captured: '361.56', refunded: '100.00', refundable: '261.56', in_flight: [] },
      children: [{ txid: refund.txid, tx_action: 'REFUND', amount: '100.00', alert_id: 7, by: 'mara' }],
      alerts: [{ alert_id: 7, open: false, held: '0.00', refund_txid: refund.txid }],
    });
  });

  it("show the 3-D Secure result, the order, and the merchant's notification", async () => {
    const own = { id: 12, outcome: 'authenticated', liabilityShift: true };
    const mark = { at: '2026-04-30T08:15:00.000Z', reference: 'A1', account: null, email: null };
    const payment = await seedPayment(site, {
      threeDs: { source: 'verified', transStatus: 'Y', eci: '05', own },
      order: { ...mark, keptUntil: '2028-01-01T00:00:00.000Z' },
      postbackUrl: 'https://shop.example/postback',
    });
    await transact({ rows: postbackWrites(payment, 'rcode') });
    // Of another payment of the same card.
    const other = await seedPayment(site, { postbackUrl: 'https://shop.example/postback' });
    await transact({ rows: postbackWrites(other, 'rcode') });
    const { body } = await ask('transactions/transaction-details', { as, params: { parentxid: payment.txid } });
    expect(body).toMatchObject({
      three_ds: { source: 'verified', transStatus: 'Y', eci: '05', authentication_id: 12, liability_shift: true },
      order_id: payment.txid,
      postbacks: [{ state: 'PENDING', status: null, error: null }],
    });
    expect((body as { postbacks: unknown[] }).postbacks).toHaveLength(1);
    const plain = await ask('transactions/transaction-details', { as, params: { parentxid: other.txid } });
    expect(plain.body).toMatchObject({ three_ds: null, order_id: null });
    const failed = await seedPayment(site, {
      status: 'EXC',
      order: { ...mark, keptUntil: '2028-01-01T00:00:00.000Z' },
    });
    const nothing = await ask('transactions/transaction-details', { as, params: { parentxid: failed.txid } });
    expect(nothing.body).toMatchObject({ order_id: null });
  });

  it('tell what happened to it in order', () => {
    const money = { minor: '500', currency: 'USD' };
    const payment = aPayment(site, { money, updatedAt: '2026-04-30T08:16:00.000Z' });
    const error = { code: 'card_declined', message: 'The card was declined' } as const;
    const after = { parentTxid: payment.txid, money, by: 'mara' };
    const failed = aPayment(site, {
      ...{ ...after, action: 'REFUND', status: 'EXC', error },
      ...{ createdAt: '2026-05-01T00:00:00.000Z', updatedAt: '2026-05-01T00:00:00.000Z' },
    });
    const pending = aPayment(site, {
      ...{ ...after, action: 'REFUND', status: 'PEND', createdAt: '2026-05-02T00:00:00.000Z' },
    });
    const dispute = { open: true, held: 500n, refundTxid: null };
    // The last number of an alert that came in within that millisecond: numbers tell it.
    const alertId = 1_077_048_115_204_095;
    const ledger = { ...toLedger(payment), disputes: { [alertId]: dispute } };
    expect(
      listEvents(payment, ledger, [failed, pending]).map(({ at, event, action, by, why, ...rest }) => [
        ...[at, event, action, by, why],
        rest.alertId,
      ]),
    ).toEqual([
      ['2026-04-30T08:15:00.000Z', 'asked', 'PAYMENT', null, null, null],
      ['2026-04-30T08:16:00.000Z', 'done', 'PAYMENT', null, null, null],
      ['2026-05-01T00:00:00.000Z', 'failed', 'REFUND', 'mara', 'The card was declined', null],
      ['2026-05-02T00:00:00.000Z', 'asked', 'REFUND', 'mara', null, null],
      ['2026-05-02T10:00:00.000Z', 'disputed', null, null, null, alertId],
    ]);
  });

  it('are those of the payment, asked of its refund', async () => {
    const { payment, refund } = await refunded();
    const { body } = await ask('transactions/transaction-details', { as, params: { parentxid: refund.txid } });
    expect(body).toMatchObject({ txid: payment.txid, tx_action: 'PAYMENT' });
  });

  it("answer another merchant's like one that does not exist", async () => {
    const { payment } = await refunded();
    const { site: foreign } = await seedPaymentSite();
    const theirs = await ask('transactions/transaction-details', {
      as: { mid: foreign.mid },
      params: { parentxid: payment.txid },
    });
    expect(theirs.status).toBe(404);
    const none = await ask('transactions/transaction-details', {
      as: { mid: foreign.mid },
      params: { parentxid: 999 },
    });
    expect(none.body).toEqual(theirs.body);
  });
});

it.each(['transactions/list-transactions', 'transactions/transaction-details'])(
  '%s does and refuses what it declares',
  (name) => expectDeclared(name),
);
