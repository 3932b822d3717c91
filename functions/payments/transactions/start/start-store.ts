import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import { fromOrderProfileItem } from '#accounts/merchants/settings/order-profile-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openRcodes } from '#accounts/merchants/site/site-store.ts';
import { checkProof, checkTakesPayments } from '#accounts/merchants/site/site-type.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { isDigestOf } from '#core/kernel/content-digest.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import type { KeyClaim } from '#core/platform/idempotency/idempotency-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, type Key, transact, tryTransact, type Write } from '#core/platform/table/table.ts';
import type { fraudWrites } from '#payments/fraud/check/assess-store.ts';
import { fromKeptMoney } from '#payments/payments/kept-money.ts';
import { orderHashes, orderHashWords } from '#payments/payments/order/hashes.ts';
import { orderClaimKey, orderClaimWrite } from '#payments/payments/order/order-claim-row.ts';
import type { PaymentRequest } from '#payments/payments/order/payment-request.ts';
import { isSigned, proofWrong, rcodeOfProof } from '#payments/payments/order/site-proof.ts';
import type { SiteProcessors } from '#payments/processors/routing/routing.ts';
import { fromSiteProcessorsItem } from '#payments/processors/routing/site-processors-row.ts';
import {
  fromAuthenticationItem,
  fromValueItem,
  usedWrites,
} from '#payments/threeds/authentication/authentication-row.ts';
import { emptyLedger } from '../ledger/ledger.ts';
import { begin } from '../ledger/ledger-changes.ts';
import type { SeenFunds } from '../ledger/ledger-funds-row.ts';
import { ledgerWrites } from '../ledger/ledger-row.ts';
import { firstPaymentMailId } from '../transaction/payment-mail.ts';
import { isTransactionFinal, type Transaction } from '../transaction/transaction.ts';
import { changedTransactionWrite, newTransactionWrite } from '../transaction/transaction-row.ts';
import { getTransaction, type Known, postbackWrites } from '../transaction/transaction-store.ts';
import type { ProvenAuthentication } from './payer-authentication.ts';

/** The rows that decide about a new transaction, read in one call. */
export type Surroundings = {
  site: Site;
  /** The one the caller signed with: the result is verified with it. */
  rcode: string;
  processors: SiteProcessors;
  /** Where the merchant keeps orders: how the site's are shown. */
  shop: OrderProfile | undefined;
  /** True if an e-mail has reported the site's first payment. */
  isFirstTold: boolean;
  /** The rows of `more`, in their order. */
  rows: (Item | undefined)[];
  /** The authentication that the order names, whosever it is. */
  proven: ProvenAuthentication | undefined;
  /** The transaction that this order, or this idempotency key, made before. */
  earlier: Transaction | undefined;
};

/**
 * Reads the site and what a new transaction of it needs, and checks who calls. A site that does not exist is answered like a
 * wrong hash. Throws hash_wrong, signature_invalid, signature_required, site_not_for_payments, tid_reused, tid_needed. One call of the table; two if the `tid` or the hash is known,
 * or the authentication used.
 */
export const readSurroundings = async (
  request: PaymentRequest,
  more: readonly Key[],
  ring: KeyRing,
  key: KeyClaim | undefined,
): Promise<Surroundings> => {
  const [siteItem, processors, claim, shop, first, ...rest] = await getItems([
    keys.site(request.sid),
    keys.siteProcessors(request.sid),
    orderClaimKey(request),
    keys.orderProfile(request.sid),
    keys.mail(firstPaymentMailId(request.sid)),
    ...authenticationKeys(request),
    ...more,
  ]);
  const site = siteItem && fromSiteItem(siteItem);
  const rcode = await rcodeOfOrder(site, request);
  if (!site || rcode === undefined) {
    throw proofWrong(request.proof, orderHashWords(request.money));
  }
  checkProof(site, { isSigned: isSigned(request.proof) });
  checkTakesPayments(site);
  const proven = readProven(request, rest.splice(0, authenticationKeys(request).length), ring);
  const isUsed = proven !== undefined && proven.authentication.usedByTxid !== null;
  // The rows are read one by one: that the same order was just written may show in its authentication alone.
  const [again] = isUsed && !claim ? await getItems([orderClaimKey(request)]) : [];
  const row = claim ?? again;
  const made = key?.made;
  return {
    site,
    rcode,
    rows: rest,
    proven,
    earlier: made === undefined ? row && (await earlierOrder(row, request, ring)) : await madeBefore(made),
    isFirstTold: first !== undefined,
    processors: fromSiteProcessorsItem(processors),
    shop: fromOrderProfileItem(shop),
  };
};

const authenticationKeys = ({ authenticationId: id }: PaymentRequest): Key[] =>
  id === null ? [] : [keys.authentication(id), keys.authenticationValue(id)];

const readProven = (
  { authenticationId: id }: PaymentRequest,
  [item, value]: readonly (Item | undefined)[],
  ring: KeyRing,
): ProvenAuthentication | undefined =>
  id === null || !item
    ? undefined
    : { authentication: fromAuthenticationItem(item), value: fromValueItem(id, value, ring, nowIso()) };

const rcodeOfOrder = async (
  site: Site | undefined,
  { sid, proof, timestamp, money }: PaymentRequest,
): Promise<string | undefined> => {
  const rcodes = await openRcodes(site, nowIso());
  return rcodeOfProof(proof, rcodes, (rcode) => orderHashes({ sid, timestamp, total: money }, rcode));
};

/** The transaction that the same order made before. Throws tid_reused or tid_needed if the row was made by an order with other content. */
const earlierOrder = async (row: Item, request: PaymentRequest, ring: KeyRing): Promise<Transaction> => {
  if (!isDigestOf(ring, String(row['digest']), request.content())) throw otherOrder(request);
  return madeBefore(Number(row['txid']));
};

const madeBefore = async (txid: number): Promise<Transaction> => {
  const transaction = await getTransaction(txid);
  if (!transaction) throw new Error(`The transaction ${txid} that a row names is gone`);
  return transaction;
};

const otherOrder = ({ tid, proof }: PaymentRequest): Refusal =>
  tid === null
    ? new Refusal(
        'tid_needed',
        `${isSigned(proof) ? 'x-signature' : 'hash'}: was already used for a different order. ` +
          'Send a tid of its own with each order, or sign this one with another timestamp.',
      )
    : new Refusal('tid_reused', 'tid: was used for another transaction; send the same body again, or another tid.');

/** The identifier was taken by another process's transaction, or the funds of a payout are gone: start again. */
export class StaleStartError extends Error {
  override readonly name = 'StaleStartError';
}

/** The fraud check counted other payments meanwhile: assess again. */
export class StaleAssessmentError extends Error {
  override readonly name = 'StaleAssessmentError';
}

type Beginning = {
  ring: KeyRing;
  digest: string;
  rcode: string;
  more: ReturnType<typeof fraudWrites> & { unpaidOrder?: Write | undefined };
  funds: SeenFunds | undefined;
  claim: KeyClaim | undefined;
};

/**
 * Writes a new transaction with its ledger before any processor is asked; one that is refused beforehand is written as it
 * ends. With it the authentication it is made with is used. Answers the earlier one if the same `tid`, or the same call, was
 * written meanwhile. `funds`: what a payout is taken from, as it was read. Throws StaleStartError, StaleAssessmentError, authentication_mismatch.
 */
export const storeNewTransaction = async (
  transaction: Transaction,
  request: PaymentRequest,
  { ring, digest, rcode, more, funds, claim: key }: Beginning,
): Promise<Known | { earlier: Transaction }> => {
  const { txid, sid, money, action } = transaction;
  const empty = emptyLedger(txid, sid, money.currency);
  const ledger = isTransactionFinal(transaction)
    ? empty
    : begin(empty, txid, action === 'PAYOUT' ? 'PAYOUT' : 'AUTH', fromKeptMoney(money).minor);
  const { authenticationId } = request;
  const conflict = await tryTransact({
    transaction: newTransactionWrite(transaction),
    ...ledgerWrites(null, ledger, funds),
    claim: orderClaimWrite(request, { txid, digest, at: transaction.createdAt }),
    key: key?.write(txid),
    ...(authenticationId !== null && usedWrites(authenticationId, txid, transaction.createdAt)),
    postback: postbackWrites(transaction, rcode),
    ...more,
  });
  if (!conflict) return { transaction, ledger: { ...ledger, version: 1 } };
  const claim = conflict.itemOf('claim');
  // A repeated write after a lost answer fails its own conditions; the number in the row shows that it was this one.
  if (claim && Number(claim['txid']) !== txid) return { earlier: await earlierOrder(claim, request, ring) };
  const mine = await getTransaction(txid);
  if (mine?.idempotencyKey === transaction.idempotencyKey) {
    return { transaction: mine, ledger: { ...ledger, version: 1 } };
  }
  if (key && conflict.on('key')) throw key.overtaken();
  if (conflict.on('authentication')) throw alreadyUsed();
  if (conflict.on('velocities')) throw new StaleAssessmentError(undefined, { cause: conflict });
  throw new StaleStartError(undefined, { cause: conflict });
};

const alreadyUsed = (): Refusal =>
  new Refusal('authentication_mismatch', 'authentication_id: another payment was made with it; each needs its own');

/** Records that another route is asked from now on, before it is: settling the transaction later must ask that one. */
export const moveToRoute = async (known: Known, change: Pick<Transaction, 'processor' | 'routeId'>): Promise<Known> => {
  const { transaction, ledger } = known;
  await transact({
    transaction: changedTransactionWrite(transaction, { ...transaction, ...change, updatedAt: nowIso() }),
  });
  return { transaction: { ...transaction, ...change, version: transaction.version + 1 }, ledger };
};
