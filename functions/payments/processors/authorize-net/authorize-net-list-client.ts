import { milliseconds } from '#core/kernel/clock.ts';
import { type ChargePage, type ChargeSpan, type ConnectionTrouble, isTrouble } from '../ports/connected-processor.ts';
import type { AskAuthorizeNet } from './authorize-net-exchange-client.ts';
import { listAuthorizeNetBatches, readAuthorizeNet, readAuthorizeNetCurrency } from './authorize-net-reports-client.ts';
import { type AuthorizeNetBatch, authorizeNetListedOf, readAuthorizeNetList } from './authorize-net-transactions.ts';

/**
 * Lists the charges of a span, batch by batch: https://developer.authorize.net/api/reference/index.html#transaction-reporting. What is not
 * settled yet has no batch, and is left out.
 */

/**
 * The longest time from an authorization to its settlement: it expires after 30 days.
 * @see http://www.authorize.net/support/merchant/Submitting_Transactions/Credit_Card_Transaction_Types.htm
 */
const settlementMilliseconds = 30 * milliseconds.day;

/** A page of a list has 1000 transactions at most. */
const pageSize = 100;

const byTime = (one: AuthorizeNetBatch, other: AuthorizeNetBatch): number =>
  one.settlementTimeUTC.localeCompare(other.settlementTimeUTC) || one.batchId.localeCompare(other.batchId);

/** The page of a batch that a cursor names; the first one without a cursor. */
const listPlace = (batches: readonly AuthorizeNetBatch[], cursor: string | null): { index: number; page: number } => {
  if (cursor === null) return { index: 0, page: 1 };
  const [id, page] = cursor.split('/');
  return { index: batches.findIndex(({ batchId }) => batchId === id), page: Number(page) };
};

export const listAuthorizeNetCharges = async (
  ask: AskAuthorizeNet,
  { from, to }: ChargeSpan,
  cursor: string | null,
): Promise<ChargePage | ConnectionTrouble> => {
  const [account, listed] = await Promise.all([
    readAuthorizeNetCurrency(ask),
    listAuthorizeNetBatches(ask, Date.parse(from), Date.parse(to) + settlementMilliseconds),
  ]);
  if ('problem' in account) return account;
  if ('problem' in listed) return listed;
  const batches = listed.toSorted(byTime);
  if (batches.length === 0) return { charges: [], next: null };
  const { index, page } = listPlace(batches, cursor);
  const batch = batches[index];
  if (!batch) return { problem: 'unavailable', detail: 'authorize.net no longer lists a batch' };
  const paging = { limit: pageSize, offset: page };
  const fields = { batchId: batch.batchId, sorting: { orderBy: 'id', orderDescending: false }, paging };
  const found = await readAuthorizeNet(ask, ['getTransactionList', fields], readAuthorizeNetList);
  if (isTrouble(found)) return found;
  const transactions = found?.transactions ?? [];
  const charges = transactions.flatMap((one) => authorizeNetListedOf(one, account.currency) ?? []);
  return {
    charges: charges.filter(({ date }) => date >= from && date < to),
    next: transactions.length === pageSize ? `${batch.batchId}/${page + 1}` : firstPageOf(batches[index + 1]),
  };
};

const firstPageOf = (batch: AuthorizeNetBatch | undefined): string | null => (batch ? `${batch.batchId}/1` : null);
