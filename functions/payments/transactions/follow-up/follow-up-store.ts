import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openSecrets } from '#accounts/merchants/site/site-store.ts';
import { nowIso } from '#core/kernel/clock.ts';
import type { KeyClaim } from '#core/platform/idempotency/idempotency-store.ts';
import type { Refusal } from '#core/platform/operation/errors.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { newRow } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, type Key, tryTransact, type Write } from '#core/platform/table/table.ts';
import type { SiteProcessors } from '#payments/processors/routing/routing.ts';
import { fromSiteProcessorsItem } from '#payments/processors/routing/site-processors-row.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { fromLedgerItem, ledgerWrites } from '../ledger/ledger-row.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { fromTransactionItem, newTransactionWrite } from '../transaction/transaction-row.ts';
import { getTransaction, type Known, ledgerPatience } from '../transaction/transaction-store.ts';
import type { Planned } from './follow-up.ts';

/** The site of a transaction: what it allows, what results are verified with, and where its money is. */
export type Owner = { site: Site; rcode: string; processors: SiteProcessors };

/** Reads the site of a transaction, and rows more, in one call. Throws if the site is gone: nothing removes it. */
export const readTransactionSite = async (
  sid: number,
  ...more: readonly (Key | null | undefined)[]
): Promise<Owner & { rows: readonly (Item | undefined)[] }> => {
  const wanted = more.filter((key) => key != null);
  const [site, processors, ...found] = await getItems([keys.site(sid), keys.siteProcessors(sid), ...wanted]);
  if (!site) throw new Error(`The site ${sid} of a transaction is gone`);
  const rows = more.map((key) => (key == null ? undefined : found[wanted.indexOf(key)]));
  return { ...(await openOwner(site, processors)), rows };
};

const openOwner = async (item: Item, processors: Item | undefined): Promise<Owner> => {
  const site = fromSiteItem(item);
  const [rcode] = (await openSecrets(site, nowIso())).rcodes;
  if (rcode === undefined) throw new Error(`Site ${site.sid} has no rcode`);
  return { site, rcode, processors: fromSiteProcessorsItem(processors) };
};

export type Around = Owner & {
  ledger: Ledger;
  /** The payment it belongs to; itself for a parent. */
  payment: Transaction;
};

/**
 * Reads everything that is needed to ask a processor about a transaction and to write its answer, in one call. Throws if some of it is
 * gone.
 */
export const readAround = async (transaction: Transaction): Promise<Around> => {
  const { txid, parentTxid, sid } = transaction;
  const [site, processors, ledger, payment] = await getItems([
    keys.site(sid),
    keys.siteProcessors(sid),
    keys.ledger(parentTxid),
    ...(txid === parentTxid ? [] : [keys.transaction(parentTxid)]),
  ]);
  if (!site || !ledger) throw new Error(`The site or the ledger of transaction ${txid} is gone`);
  return {
    ...(await openOwner(site, processors)),
    ledger: fromLedgerItem(ledger),
    payment: payment ? fromTransactionItem(payment) : transaction,
  };
};

/** A site's payment, if it is the site's, and what a call about it is proven with. */
export type PaymentOfSite = {
  site: Site;
  rcodes: readonly string[];
  processors: SiteProcessors;
  payment: Known | undefined;
};

/** Reads a payment for a call that names its site, in one call; undefined if there is no such site. */
export const readPaymentOfSite = async (sid: number, txid: number): Promise<PaymentOfSite | undefined> => {
  const [siteItem, processors, item, ledger] = await getItems([
    keys.site(sid),
    keys.siteProcessors(sid),
    keys.transaction(txid),
    keys.ledger(txid),
  ]);
  if (!siteItem) return undefined;
  const site = fromSiteItem(siteItem);
  const { rcodes } = await openSecrets(site, nowIso());
  const transaction = item && fromTransactionItem(item);
  const payment = transaction?.sid === sid && ledger ? { transaction, ledger: fromLedgerItem(ledger) } : undefined;
  return { site, rcodes, processors: fromSiteProcessorsItem(processors), payment };
};

/** Ensures that an operation is done once, however often it is requested. `digest`: of the request. */
export type OnceGuard = { key: Key; digest: string; reused: Refusal };

/** The operation that was made before under the same name. Throws its `reused` if something else was asked for. */
export const readEarlier = async (row: Item, { digest, reused }: OnceGuard): Promise<Transaction> => {
  if (row['digest'] !== digest) throw reused;
  return transactionMade(Number(row['txid']));
};

/** A transaction that a row names. Throws if it is gone: nothing removes it. */
export const transactionMade = async (txid: number): Promise<Transaction> => {
  const transaction = await getTransaction(txid);
  if (!transaction) throw new Error(`Transaction ${txid} is gone`);
  return transaction;
};

/** A condition that another area puts on the beginning of an operation, and the refusal if it does not hold. */
export type BeginGuard = { write: Write; refusal: Refusal };

/** `refund`: that the dispute alert is not refunded elsewhere. `alert`: that it still awaits an answer. */
export type BeginGuards = { refund?: BeginGuard; alert?: BeginGuard | undefined };

/**
 * Writes a new operation with its reservation, under the condition that the ledger is as it was read; after a conflict, it is planned again
 * on the new state. Returns the earlier operation if there is one of that name, or `plan` names one. Throws whatever `plan` throws, the
 * refusal of a guard whose condition fails, and changed_meanwhile after repeated conflicts.
 */
export const beginFollowUp = async (
  first: Ledger,
  plan: (ledger: Ledger) => Planned | { earlierTxid: number },
  { once, claim }: { once: OnceGuard | null; claim?: KeyClaim | undefined },
  guardsFor: (txid: number) => BeginGuards = () => ({}),
): Promise<Known | { earlier: Transaction }> => {
  let ledger = first;
  return retryOnConflict(
    async () => {
      const planned = plan(ledger);
      if ('earlierTxid' in planned) return { earlier: await transactionMade(planned.earlierTxid) };
      const { transaction, ledger: after } = planned;
      const begun = { transaction, ledger: { ...after, version: ledger.version + 1 } };
      const { refund, alert } = guardsFor(transaction.txid);
      const conflict = await tryTransact({
        transaction: newTransactionWrite(transaction),
        ...ledgerWrites(ledger, after),
        refund: refund?.write,
        alert: alert?.write,
        once: once ? onceWrite(once, transaction) : undefined,
        key: claim?.write(transaction.txid),
      });
      if (!conflict) return begun;
      const [mine, stored, named] = [
        conflict.itemOf('transaction'),
        conflict.itemOf('ledger'),
        conflict.itemOf('once'),
      ];
      // A repeated write after a lost answer fails its own conditions; the key tells that it was this one.
      if (mine && fromTransactionItem(mine).idempotencyKey === transaction.idempotencyKey) return begun;
      if (once && named) return { earlier: await readEarlier(named, once) };
      if (claim && conflict.on('key')) throw claim.overtaken();
      if (stored) ledger = fromLedgerItem(stored);
      else if (refund && conflict.on('refund')) throw refund.refusal;
      else if (alert && conflict.on('alert')) throw alert.refusal;
      throw conflict;
    },
    { ...ledgerPatience, onExhausted: changedMeanwhile },
  );
};

const onceWrite = ({ key, digest }: OnceGuard, { txid }: Transaction): Write =>
  newRow({ ...key, entity: 'TID', txid, digest });
