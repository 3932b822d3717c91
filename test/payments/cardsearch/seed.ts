import type { Site } from '#accounts/merchants/site/site.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { freshRcode } from '#accounts/merchants/site/site-secrets.ts';
import { fingerprintOf, type KeptCard } from '#core/kernel/card/card.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { putItem, transact } from '#core/platform/table/table.ts';
import { emptyLedger, type Ledger } from '#payments/transactions/ledger/ledger.ts';
import { begin, settleReservation } from '#payments/transactions/ledger/ledger-changes.ts';
import { ledgerWrites } from '#payments/transactions/ledger/ledger-row.ts';
import { newIdempotencyKey, type Transaction } from '#payments/transactions/transaction/transaction.ts';
import { newTransactionWrite } from '#payments/transactions/transaction/transaction-row.ts';
import { aSite } from '#test/disputes/alerts/samples.ts';
import { fresh } from '#test/disputes/alerts/seed.ts';

/** The key ring of `useOperations`. */
const ring = { current: 'k1', keys: { k1: 'the encryption secret of this test' } };

/** A payment site with an rcode that can be opened; unless told otherwise, of a merchant of its own. */
export const seedPaymentSite = async (change: Partial<Site> = {}): Promise<{ site: Site; rcode: string }> => {
  const sid = change.sid ?? fresh();
  const { text: rcode, kept } = freshRcode(ring, sid);
  const site = aSite({
    sid,
    mid: 1000 + sid,
    rid: 2000 + sid,
    type: 'payment',
    alert: null,
    payment: {},
    rcodes: [kept],
    ...change,
  });
  await putItem(toSiteItem(site));
  return { site, rcode };
};

export const visaCard = (number: string): KeptCard => ({
  scheme: 'VISA',
  first6: number.slice(0, 6),
  last4: number.slice(-4),
  token: fingerprintOf(ring, number),
});

export const aPayment = (site: Pick<Site, 'sid' | 'mid' | 'rid'>, change: Partial<Transaction> = {}): Transaction => {
  const txid = change.txid ?? newTimedId();
  return {
    txid,
    parentTxid: txid,
    sid: site.sid,
    mid: site.mid,
    rid: site.rid,
    action: 'PAYMENT',
    status: 'OK',
    money: { minor: '36156', currency: 'USD' },
    tid: `order-${txid}`,
    reference: null,
    refs: ['one', null, null, null],
    descriptor: 'SHOP*ONLINE 123',
    processor: 'sandbox',
    routeId: null,
    processorReference: `sb_${txid}`,
    idempotencyKey: newIdempotencyKey(txid),
    arn: null,
    authCode: null,
    error: null,
    nextAction: null,
    card: visaCard('4111111111111111'),
    email: 'payer@example.com',
    postbackUrl: null,
    conversion: null,
    fraud: null,
    alertId: null,
    nextCheckAt: null,
    checks: 0,
    createdAt: '2026-04-30T08:15:00.000Z',
    updatedAt: '2026-04-30T08:15:00.000Z',
    version: 1,
    ...change,
  };
};

/** The ledger of a payment that was captured, or of a PREAUTH that was not. */
export const toLedger = ({ txid, sid, money, action }: Transaction): Ledger =>
  settleReservation(begin(emptyLedger(txid, sid, money.currency), txid, 'AUTH', BigInt(money.minor)), {
    txid,
    succeeded: true,
    captures: action === 'PAYMENT',
  });

/** Writes a payment with its ledger and its site's funds. */
export const seedPayment = async (site: Site, change: Partial<Transaction> = {}): Promise<Transaction> => {
  const transaction = aPayment(site, change);
  await transact({ row: newTransactionWrite(transaction), ...ledgerWrites(null, toLedger(transaction)) });
  return transaction;
};
