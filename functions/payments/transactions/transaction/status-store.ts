import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { getSite, openRcodes } from '#accounts/merchants/site/site-store.ts';
import { checkProof } from '#accounts/merchants/site/site-type.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { sentRcode, siteHash } from '#payments/payments/order/hashes.ts';
import { isSigned, proofWrong, rcodeOfProof, type SiteProof } from '#payments/payments/order/site-proof.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { fromLedgerItem } from '../ledger/ledger-row.ts';
import { listChildSummaries } from './children-store.ts';
import type { Transaction } from './transaction.ts';
import { fromTransactionItem, type TransactionSummary } from './transaction-row.ts';
import { getTransaction } from './transaction-store.ts';

export type ProvenTransaction = { transaction: Transaction; site: Site; rcode: string };

const wrong = (proof: SiteProof): Refusal =>
  proofWrong(proof, 'hash: must be md5 of sid and rcode, joined, of the site that made the transaction.');
const rcodeWrong = () =>
  new Refusal('rcode_wrong', 'rcode: must be that of the site that made the transaction, and sid its number.');

/**
 * Reads a transaction for a caller who proves, by the hash of getstatus or a signature, that they know its site's rcode. One that does not
 * exist is refused like a wrong hash, in the same time, so that callers do not learn which numbers are in use. Throws hash_wrong. Two calls
 * of the table.
 */
export const transactionByProof = async (txid: number, proof: SiteProof): Promise<ProvenTransaction> => {
  const proven = await proveRcode(
    txid,
    () => wrong(proof),
    ({ sid }, rcodes) => rcodeOfProof(proof, rcodes, (rcode) => siteHash(sid, rcode)),
  );
  checkProof(proven.site, { isSigned: isSigned(proof) });
  return proven;
};

/** The same for a caller who sends the site's number and rcode themselves. Throws rcode_wrong. */
export const transactionByRcode = (txid: number, sid: number, rcode: string): Promise<ProvenTransaction> =>
  proveRcode(txid, rcodeWrong, (site, rcodes) => (site.sid === sid ? sentRcode(rcode, rcodes) : undefined));

const proveRcode = async (
  txid: number,
  strange: () => Refusal,
  rcodeOf: (site: Site, rcodes: readonly string[]) => string | undefined,
): Promise<ProvenTransaction> => {
  const transaction = await getTransaction(txid);
  // A missing transaction takes as long as an existing one: no site has the number 0.
  const site = await getSite(transaction?.sid ?? 0);
  const rcodes = await openRcodes(site, nowIso());
  if (!transaction || !site) throw strange();
  const rcode = rcodeOf(site, rcodes);
  if (rcode === undefined) throw strange();
  return { transaction, site, rcode };
};

/** A transaction with what became of its payment since. */
export type TransactionProgress = {
  transaction: Transaction;
  ledger: Ledger;
  children: readonly TransactionSummary[];
  rcode: string;
};

/**
 * The status of a transaction for a caller who proves that they know its site's rcode; one that does not exist is answered like a wrong hash, in
 * the same time. Throws hash_wrong. Two calls of the table, and one more where something was done to the payment.
 */
export const statusByProof = async (txid: number, proof: SiteProof): Promise<TransactionProgress> => {
  const [item, own] = await getItems([keys.transaction(txid), keys.ledger(txid)]);
  const transaction = item && fromTransactionItem(item);
  // A missing transaction takes as long as an existing one: no site has the number 0.
  const [siteItem, parents] = await getItems([
    keys.site(transaction?.sid ?? 0),
    ...(own ? [] : [keys.ledger(transaction?.parentTxid ?? 0)]),
  ]);
  const site = siteItem && fromSiteItem(siteItem);
  const rcode = rcodeOfProof(proof, await openRcodes(site, nowIso()), (one) => siteHash(site?.sid ?? 0, one));
  const ledgerItem = own ?? parents;
  if (!transaction || !site || !ledgerItem || rcode === undefined) throw wrong(proof);
  checkProof(site, { isSigned: isSigned(proof) });
  return withChildren(transaction, fromLedgerItem(ledgerItem), rcode);
};

/**
 * The same by the merchant's own reference of the transaction, for a caller who knows the site's rcode. Throws hash_wrong, also for a site
 * that does not exist, and transaction_not_found.
 */
export const statusByTid = async ({
  sid,
  tid,
  proof,
}: {
  sid: number;
  tid: string;
  proof: SiteProof;
}): Promise<TransactionProgress> => {
  const [siteItem, named] = await getItems([keys.site(sid), keys.tid(sid, sha256(tid.trim()))]);
  const site = siteItem && fromSiteItem(siteItem);
  const rcode = rcodeOfProof(proof, await openRcodes(site, nowIso()), (one) => siteHash(sid, one));
  if (!site || rcode === undefined) throw wrong(proof);
  checkProof(site, { isSigned: isSigned(proof) });
  const txid = Number(named?.['txid'] ?? 0);
  const [item, own] = txid > 0 ? await getItems([keys.transaction(txid), keys.ledger(txid)]) : [];
  if (!item) throw new Refusal('transaction_not_found', 'tid: the site has no transaction of this reference.');
  const transaction = fromTransactionItem(item);
  const [ledgerItem] = own ? [own] : await getItems([keys.ledger(transaction.parentTxid)]);
  if (!ledgerItem) throw new Error(`The ledger of ${transaction.parentTxid} is gone`);
  return withChildren(transaction, fromLedgerItem(ledgerItem), rcode);
};

/** Writes of a ledger of a payment to which nothing was done: it was begun, and settled. */
const writesOfPayment = 2;

const withChildren = async (transaction: Transaction, ledger: Ledger, rcode: string): Promise<TransactionProgress> => {
  const isTouched = transaction.txid === ledger.parentTxid && ledger.version > writesOfPayment;
  return { transaction, ledger, rcode, children: isTouched ? await listChildSummaries(transaction) : [] };
};
