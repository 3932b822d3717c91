import { iso, milliseconds, nowIso } from '#core/kernel/clock.ts';
import { log, metric } from '#core/platform/log/log.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItem, getItems, putItem, transact } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import { disputeLookDue } from '#disputes/connections/dispute-look-due.ts';
import {
  type DisputeLook,
  disputeLookItem,
  fromDisputeLookItem,
  lookAfter,
  lookFailed,
  readLookId,
} from '#disputes/connections/dispute-look-row.ts';
import {
  type DisputeAccount,
  type DisputesAnswer,
  disputeIdOf,
  type ProcessorDispute,
  type UnreadDispute,
} from '#payments/processors/ports/dispute.ts';
import { disputeNoticeItem } from '#payments/transactions/dispute/dispute-notice-row.ts';
import { noteDisputes } from '#payments/transactions/settlement/processor-webhook-store.ts';
import { fromChargebackItem } from '../chargeback-row.ts';
import { findManagedMerchant, loadDisputePort } from './port-flow.ts';

/** Overlap between looks, so that late reports of a processor are found. */
const overlap = 2 * milliseconds.day;
/** The maximum age of a dispute that a webhook announces without naming it. */
const announced = 7 * milliseconds.day;

/** Looks for new disputes at an account whose webhook announced some without naming them. Throws RetryLaterError if it cannot be asked. */
export const lookAtAccount = async (account: DisputeAccount, at: string): Promise<void> => {
  if ((await findManagedMerchant(account)) === undefined) return;
  const port = await loadDisputePort(account);
  const from = iso(Date.parse(at) - announced);
  let before: string | undefined;
  do {
    const answer: DisputesAnswer | undefined = await port?.since?.(from, before);
    if (!answer) return;
    if ('unknown' in answer) throw new RetryLaterError(`${account.processor}: ${answer.unknown}`);
    await noteNews(account, answer.found);
    await noteUnread(account, answer.unread ?? []);
    before = answer.before;
  } while (before !== undefined);
};

/**
 * The daily look at a connection, in case its webhooks report nothing. If it cannot be asked, the next sweep asks again, for all the
 * time since the last success; if it has more than is read at once, another message reads the rest. Looks end with the connection.
 */
export const lookAtConnection = async (id: string): Promise<void> => {
  const { mid, connection } = readLookId(id);
  const look = fromDisputeLookItem(await getItem(keys.disputeLook(mid, connection)));
  const at = nowIso();
  if (!look || look.nextAt > at) return;
  const account = { mid, processor: look.kind, connection };
  const isAsked = (await readConnections(mid)).list.some((one) => one.id === connection && one.active);
  if (!isAsked || (await findManagedMerchant(account)) === undefined) return end(look);
  const answer = await (await loadDisputePort(account))?.since?.(
    iso(Date.parse(look.since) - overlap),
    look.part?.before,
  );
  if (!answer || 'unknown' in answer) {
    log('warn', 'disputes_not_looked_for', { mid, connection, words: answer?.unknown ?? 'nobody to ask' });
    return goOn(look, lookFailed(look, at));
  }
  await noteNews(account, answer.found);
  const { unread = [], before } = answer;
  await noteUnread(account, unread);
  const isNameless = unread.some(({ reference }) => reference === '');
  const { after, isGivenUp } = lookAfter(look, { before, isNameless, at });
  await goOn(look, after);
  if (isGivenUp) warnOfUnread({ mid, connection });
};

/** The number of unreadable disputes that are named. */
const maxNamed = 5;

/** Remembers those that have a reference: they are asked for by it, and do not hold the look back. */
const noteUnread = async (account: DisputeAccount, unread: readonly UnreadDispute[]): Promise<void> => {
  if (unread.length === 0) return;
  const words = unread.map((one) => one.words).slice(0, maxNamed);
  log('warn', 'disputes_unreadable', { processor: account.processor, words: words.join('; ') });
  for (const reference of new Set(unread.map((one) => one.reference).filter(Boolean))) {
    const item = disputeNoticeItem({ place: { ...account, reference }, at: nowIso(), isUnread: true });
    await putItem(item, { ConditionExpression: 'attribute_not_exists(pk)' }).catch((error: unknown) => {
      // It is remembered already, since its first time.
      if (!(error instanceof ConditionFailedError)) throw error;
    });
  }
};

/** A dispute could not be read for a week. An operator has to check what the service sends. */
export const warnOfUnread = (fields: Record<string, unknown>): void => {
  log('error', 'dispute_never_read', fields);
  metric('UnknownDisputeStates', 1, 'Count');
};

const asRead = ({ nextAt }: DisputeLook) => ({
  ConditionExpression: '#look.#nextAt = :nextAt',
  ExpressionAttributeNames: { '#look': 'look', '#nextAt': 'nextAt' },
  ExpressionAttributeValues: { ':nextAt': nextAt },
});

const unlessChanged = async (written: Promise<void>): Promise<void> => {
  await written.catch((error: unknown) => {
    // The row was set again in the meantime, or a duplicate message handled it. That write is kept.
    if (!(error instanceof ConditionFailedError)) throw error;
  });
};

const goOn = (look: DisputeLook, after: DisputeLook): Promise<void> =>
  unlessChanged(
    putItem(disputeLookItem(after), asRead(look)).then(() => {
      const lookId = `${after.mid}.${after.connection}`;
      return after.part ? sendOrThrow([disputeLookDue.message({ lookId })]) : undefined;
    }),
  );

const end = (look: DisputeLook): Promise<void> =>
  unlessChanged(transact({ look: { Delete: { Key: keys.disputeLook(look.mid, look.connection), ...asRead(look) } } }));

/** The number that are looked up in one call and recorded in another. */
const notedAtOnce = 50;

/** Makes those of an account's disputes due whose reported state differs from what is known here. */
export const noteNews = async (account: DisputeAccount, disputes: readonly ProcessorDispute[]): Promise<void> => {
  const all = [...new Map(disputes.map((dispute) => [dispute.reference, dispute])).values()];
  for (let first = 0; first < all.length; first += notedAtOnce) {
    const news = await findNews(account, all.slice(first, first + notedAtOnce));
    const events = news.map(({ reference }) => ({ id: reference, txid: null, references: [], dispute: reference }));
    if (events.length > 0) await noteDisputes(account, events);
  }
};

const findNews = async (account: DisputeAccount, disputes: readonly ProcessorDispute[]) => {
  const items = await getItems(
    disputes.map(({ reference }) => keys.chargeback(disputeIdOf({ ...account, reference }))),
  );
  return disputes.filter(({ stage, status }, index) => {
    const known = fromChargebackItem(items[index]);
    const isAccepted = known?.status === 'accepted' && status === 'open';
    return !known || known.stage !== stage || (known.status !== status && !isAccepted);
  });
};
