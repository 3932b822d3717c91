import { fingerprintOf, type KeptCard } from '../../functions/core/card.ts';
import { newTimedId } from '../../functions/core/ids.ts';
import { putItem, transact } from '../../functions/core/table.ts';
import type { Site } from '../../functions/merchants/site.ts';
import { toSiteItem } from '../../functions/merchants/site-row.ts';
import { freshRcode } from '../../functions/merchants/site-secrets.ts';
import { emptyLedger, type Ledger } from '../../functions/transactions/ledger.ts';
import { begin, settle } from '../../functions/transactions/ledger-changes.ts';
import { ledgerWrites } from '../../functions/transactions/ledger-row.ts';
import { newIdempotencyKey, type Transaction } from '../../functions/transactions/transaction.ts';
import { newTransactionWrite } from '../../functions/transactions/transaction-row.ts';
import { siteOf } from '../alerts/samples.ts';
import { fresh } from '../alerts/seed.ts';

/** The key ring that `useOperations` gives. */
export const ring = { current: 'k1', keys: { k1: 'the encryption secret of this test' } };

/** A payment site with an rcode that can be opened; unless told otherwise, of a merchant of its own. */
export const seedPaymentSite = async (change: Partial<Site> = {}): Promise<{ site: Site; rcode: string }> => {
  const sid = change.sid ?? fresh();
  const { text: rcode, kept } = freshRcode(ring, sid);
  const site = siteOf({
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

export const cardOf = (number: string): KeptCard => ({
  scheme: 'VISA',
  first6: number.slice(0, 6),
  last4: number.slice(-4),
  token: fingerprintOf(ring, number),
});

export const transactionOf = (
  site: Pick<Site, 'sid' | 'mid' | 'rid'>,
  change: Partial<Transaction> = {},
): Transaction => {
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
    card: cardOf('4111111111111111'),
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
export const ledgerOf = ({ txid, sid, money, action }: Transaction): Ledger =>
  settle(begin(emptyLedger(txid, sid, money.currency), txid, 'AUTH', BigInt(money.minor)), {
    txid,
    succeeded: true,
    captures: action === 'PAYMENT',
  });

/** Writes a payment with its ledger and its site's funds. */
export const seedPayment = async (site: Site, change: Partial<Transaction> = {}): Promise<Transaction> => {
  const transaction = transactionOf(site, change);
  await transact([newTransactionWrite(transaction), ...ledgerWrites(null, ledgerOf(transaction))]);
  return transaction;
};
