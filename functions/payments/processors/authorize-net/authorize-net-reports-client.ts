import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { type ConnectionTrouble, isTrouble } from '../ports/connected-processor.ts';
import { troubleOfAnswer } from '../ports/json-exchange-client.ts';
import { warnOfUnknownStates } from '../unknown-state-client.ts';
import type { AskAuthorizeNet } from './authorize-net-exchange-client.ts';
import {
  type AuthorizeNetBatch,
  type AuthorizeNetDetails,
  type AuthorizeNetSummary,
  authorizeNetStatuses,
  readAuthorizeNetAccount,
  readAuthorizeNetBatches,
  readAuthorizeNetDetails,
  readAuthorizeNetList,
} from './authorize-net-transactions.ts';

/**
 * Reports of an account. Authorize.Net cannot be asked for a card or an amount, only for the transactions of a batch, which is settled about
 * once a day, and for those not settled yet.
 */

const tooMany: ConnectionTrouble = { problem: 'too_many', detail: 'authorize.net has too many transactions to read' };

/** Reads an answer; null if there is no such record. */
export const readAuthorizeNet = async <T>(
  ask: AskAuthorizeNet,
  [name, fields]: readonly [name: string, fields: object],
  reader: (body: unknown) => T | undefined,
): Promise<T | null | ConnectionTrouble> => {
  const answer = await ask(name, fields);
  if ('status' in answer && answer.status === 404) return null;
  const found = 'status' in answer && answer.status === 200 ? reader(answer.body) : undefined;
  return found ?? troubleOfAnswer('authorize.net', answer);
};

/** Does the same with each item, a few at a time; the first trouble instead, if there is any. */
const each = async <I, T extends object>(
  items: readonly I[],
  act: (item: I) => Promise<T | null | ConnectionTrouble>,
): Promise<readonly T[] | ConnectionTrouble> => {
  const done: T[] = [];
  for (let from = 0; from < items.length; from += 10) {
    for (const one of await Promise.all(items.slice(from, from + 10).map(act))) {
      if (isTrouble(one)) return one;
      if (one !== null) done.push(one);
    }
  }
  return done;
};

/** A list of batches may span 31 days. */
const maxSpan = 30 * milliseconds.day;
/** Cards are refunded within 180 days, so a charge is not looked for longer. */
const maxBatches = 200;

/** The batches of cards that were settled in a time; times have no fractions of a second there. */
export const listAuthorizeNetBatches = async (
  ask: AskAuthorizeNet,
  from: number,
  until = nowMilliseconds(),
): Promise<readonly AuthorizeNetBatch[] | ConnectionTrouble> => {
  const end = Math.min(until, nowMilliseconds());
  const spans = Array.from({ length: Math.floor((end - from) / maxSpan) + 1 }, (_, n) => from + n * maxSpan);
  const lists = await each(spans, (start) => {
    const [first, last] = [start, Math.min(start + maxSpan, end)].map((at) => iso(at).replace(/\.\d+/, ''));
    const fields = { includeStatistics: true, firstSettlementDate: first, lastSettlementDate: last };
    return readAuthorizeNet(ask, ['getSettledBatchList', fields], readAuthorizeNetBatches);
  });
  if ('problem' in lists) return lists;
  const byId = new Map(lists.flatMap(({ batchList }) => batchList ?? []).map((one) => [one.batchId, one]));
  return [...byId.values()].filter(({ paymentMethod }) => paymentMethod !== 'eCheck');
};

const pageSize = 1000;
const maxPages = 20;

/** The transactions of a list, the newest first; of those before `from`, not all. */
const listTransactions = async (
  ask: AskAuthorizeNet,
  [name, fields]: readonly [name: string, fields: object],
  from: string,
): Promise<readonly AuthorizeNetSummary[] | ConnectionTrouble> => {
  const found: AuthorizeNetSummary[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const paging = { limit: pageSize, offset: page };
    const asked = { ...fields, sorting: { orderBy: 'submitTimeUTC', orderDescending: true }, paging };
    const listed = await readAuthorizeNet(ask, [name, asked], readAuthorizeNetList);
    if (isTrouble(listed)) return listed;
    const transactions = listed?.transactions ?? [];
    found.push(...transactions);
    if (transactions.length < pageSize || (transactions.at(-1)?.submitTimeUTC ?? '') < from) return found;
  }
  return tooMany;
};

const hasRefunds = ({ statistics }: AuthorizeNetBatch): boolean =>
  !statistics || statistics.some(({ refundCount }) => (refundCount ?? 0) > 0);

/** Returns the transactions since `from` that may be charges settled until `chargesUntil`, and all that may be refunds. */
export const scanAuthorizeNet = async (
  ask: AskAuthorizeNet,
  { from, chargesUntil }: { from: number; chargesUntil: number },
): Promise<readonly AuthorizeNetSummary[] | ConnectionTrouble> => {
  const [batches, unsettled] = await Promise.all([
    listAuthorizeNetBatches(ask, from),
    listTransactions(ask, ['getUnsettledTransactionList', {}], iso(from)),
  ]);
  if ('problem' in batches) return batches;
  if ('problem' in unsettled) return unsettled;
  const wanted = batches.filter((one) => Date.parse(one.settlementTimeUTC) <= chargesUntil || hasRefunds(one));
  if (wanted.length > maxBatches) return tooMany;
  const lists = await each(wanted, ({ batchId }) =>
    listTransactions(ask, ['getTransactionList', { batchId }], iso(from)),
  );
  if ('problem' in lists) return lists;
  // One that is settled in between is in both.
  const byId = new Map([...unsettled, ...lists.flat()].map((one) => [one.transId, one]));
  return [...byId.values()];
};

/** Null: there is no such transaction. */
export const readAuthorizeNetTransaction = async (
  ask: AskAuthorizeNet,
  transId: string,
): Promise<AuthorizeNetDetails | null | ConnectionTrouble> => {
  const found = await readAuthorizeNet(ask, ['getTransactionDetails', { transId }], readAuthorizeNetDetails);
  if (found === null || isTrouble(found)) return found;
  warnOfUnknownStates('authorize_net', [found.transaction.transactionStatus], authorizeNetStatuses);
  return found.transaction;
};

const maxDetails = 200;

export const readAuthorizeNetTransactions = async (
  ask: AskAuthorizeNet,
  summaries: readonly AuthorizeNetSummary[],
): Promise<readonly AuthorizeNetDetails[] | ConnectionTrouble> =>
  summaries.length > maxDetails ? tooMany : each(summaries, ({ transId }) => readAuthorizeNetTransaction(ask, transId));

/** The account's currency. */
export const readAuthorizeNetCurrency = async (
  ask: AskAuthorizeNet,
): Promise<{ currency: string } | ConnectionTrouble> => {
  const account = await readAuthorizeNet(ask, ['getMerchantDetails', {}], readAuthorizeNetAccount);
  if (account !== null && isTrouble(account)) return account;
  const currency = account?.currencies[0];
  return currency === undefined ? { problem: 'unavailable', detail: 'authorize.net names no currency' } : { currency };
};
