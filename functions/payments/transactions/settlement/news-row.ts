import * as v from 'valibot';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { newsDue } from './news-due.ts';

/** Records that a processor reported a transaction and must still be asked what became of it. */
export type News = {
  txid: number;
  /** When it was reported, ISO. */
  toldAt: string;
  /** The time at which the processor is asked, ISO. */
  at: string;
  /** The number of attempts without an answer. */
  tries: number;
};

const NewsRow = defineRow<News>({
  entity: 'TRANSACTION_NEWS',
  attribute: 'news',
  schema: v.looseObject({ txid: v.number(), toldAt: v.string(), at: v.string(), tries: v.number() }),
});

/** If it is reported again before the processor was asked, it stays one row, with the later time. */
export const newsItem = (news: News): Item => ({
  ...keys.transactionNews(news.txid),
  ...NewsRow.stamp,
  id: news.txid,
  ...newsDue.keys(news.at, news.txid),
  news,
});

/** Reads one back; undefined where there is none. */
export const fromNewsItem = NewsRow.find;

const asRead = ({ at }: News) => ({
  ConditionExpression: '#news.#at = :at',
  ExpressionAttributeNames: { '#news': 'news', '#at': 'at' },
  ExpressionAttributeValues: { ':at': at },
});

/** The part of a transaction that ends it, or delays it. Its condition fails if it was reported again since. */
export const changedNewsWrite = (before: News, after: News | undefined): Write =>
  after
    ? { Put: { Item: newsItem(after), ...asRead(before) } }
    : { Delete: { Key: keys.transactionNews(before.txid), ...asRead(before) } };
