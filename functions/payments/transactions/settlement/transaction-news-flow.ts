import { iso, milliseconds, nowIso } from '#core/kernel/clock.ts';
import { log } from '#core/platform/log/log.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, tryTransact } from '#core/platform/table/table.ts';
import { isEarly } from '#core/platform/work/delay.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { nextLapseLook } from '../follow-up/authorisation-lapse.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { fromTransactionItem } from '../transaction/transaction-row.ts';
import { newsDue } from './news-due.ts';
import { changedNewsWrite, fromNewsItem, type News } from './news-row.ts';

/** Checks whether the processor said what became of the transaction. */
type Look = (transaction: Transaction) => Promise<boolean>;

/** If a processor cannot be asked for this long, a webhook is no longer a reason to ask it. */
const maxPatience = 7 * milliseconds.day;
const longestWait = milliseconds.hour;

/**
 * Asks about a transaction that a processor has reported. If the processor does not know, it is asked again after a minute, then less and
 * less often: a final transaction is checked for no other reason, and banks return refunds days later. A message that arrives early is sent
 * on, unless its check was moved.
 */
export const followNews = async (txid: number, slot: string | undefined, look: Look): Promise<void> => {
  const [item, newsItem] = await getItems([keys.transaction(txid), keys.transactionNews(txid)]);
  const news = fromNewsItem(newsItem);
  if (slot !== undefined && news?.at !== slot) return;
  if (news && isEarly(news.at, nowIso())) {
    return slot === undefined ? undefined : sendOrThrow([newsDue.message({ txid, told: true, slot }, { at: news.at })]);
  }
  const transaction = item && fromTransactionItem(item);
  const isKnown = transaction ? await look(transaction) : true;
  if (!news) return;
  const next = isKnown ? nextLook(news, transaction, nowIso()) : later(news, nowIso());
  // Reported again meanwhile: the message of that may have asked before this answer was recorded.
  if (await tryTransact({ news: changedNewsWrite(news, next) })) return lookOnce(txid, look);
  // The sweep brings up what is days ahead.
  if (next && !isKnown) await sendOrThrow([newsDue.message({ txid, told: true, slot: next.at }, { at: next.at })]);
};

const lookOnce = async (txid: number, look: Look): Promise<void> => {
  const item = await getItem(keys.transaction(txid));
  if (item) await look(fromTransactionItem(item));
};

/** A transaction that may lapse without a report is checked again, in days. */
const nextLook = (news: News, transaction: Transaction | undefined, now: string): News | undefined => {
  const at = transaction && nextLapseLook(transaction, now);
  return at === undefined ? undefined : { ...news, toldAt: now, at, tries: 0 };
};

/** When it is asked again; undefined: no more. `now`: ISO. */
const later = (news: News, now: string): News | undefined => {
  if (Date.parse(now) - Date.parse(news.toldAt) > maxPatience) {
    log('error', 'processor_never_answered', { txid: news.txid, toldAt: news.toldAt });
    return undefined;
  }
  const wait = Math.min(milliseconds.minute * 2 ** news.tries, longestWait);
  return { ...news, tries: news.tries + 1, at: iso(Date.parse(now) + wait) };
};
