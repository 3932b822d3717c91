import { describeError, log } from '#core/platform/log/log.ts';
import { rowId } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { StreamChange } from '#core/platform/table/stream-store.ts';
import { deleteItem, getItems, type Item, type Key, putItem } from '#core/platform/table/table.ts';
import { linkedEntries, type PaymentLink, paymentLinkOf, searchEntries } from './search-row.ts';

const writesAtOnce = 20;

const spelling = (item: Item): string => JSON.stringify([rowId(item), item['ttl'], item['found']]);

/** A row that cannot be read is left out and logged, so that it does not stop the counts of all others. */
const readable = <T>(item: Item | undefined, read: (item: Item | undefined) => T, otherwise: T): T => {
  try {
    return read(item);
  } catch (error) {
    log('error', 'row_not_searchable', { pk: item?.['pk'], error: describeError(error) });
    return otherwise;
  }
};

const isSameLink = (one: PaymentLink | undefined, other: PaymentLink | undefined): boolean =>
  one?.txid === other?.txid && one?.id === other?.id;

/** The payments that changed links are about, by number. */
const readPayments = async (links: readonly PaymentLink[]): Promise<ReadonlyMap<number, Item>> => {
  const txids = [...new Set(links.map(({ txid }) => txid))];
  const items = txids.length === 0 ? [] : await getItems(txids.map(keys.transaction));
  return new Map(txids.flatMap((txid, index) => (items[index] ? [[txid, items[index]] as const] : [])));
};

/** Entries before and after all changes: of one item that changed twice, only the first state and the last count. */
const compareEntries = (before: readonly Item[], after: readonly Item[]) => {
  const known = new Set(before.map(spelling));
  const kept = new Set(after.map(rowId));
  return {
    puts: after.filter((item) => !known.has(spelling(item))),
    deletes: before.filter((item) => !kept.has(rowId(item))),
  };
};

/**
 * Keeps the entries by which a search finds rows, for changes in the order in which they were made. Repeating it changes nothing; nothing is written for
 * rows whose terms are the same as before.
 */
export const saveSearchEntries = async (changes: readonly StreamChange[]): Promise<void> => {
  const links = changes
    .map(({ before, after }) => [readable(before, paymentLinkOf, undefined), readable(after, paymentLinkOf, undefined)])
    .filter(([before, after]) => !isSameLink(before, after));
  const payments = await readPayments(links.flat().flatMap((link) => link ?? []));
  const entriesOfLink = (link: PaymentLink | undefined): Item[] =>
    link ? readable(payments.get(link.txid), (payment) => linkedEntries(link, payment), []) : [];
  const writes = new Map<string, () => Promise<void>>();
  const pairs = [
    ...changes.map(({ before, after }) => [readable(before, searchEntries, []), readable(after, searchEntries, [])]),
    ...links.map(([before, after]) => [entriesOfLink(before), entriesOfLink(after)]),
  ];
  for (const [before = [], after = []] of pairs) {
    const { puts, deletes } = compareEntries(before, after);
    for (const item of deletes) writes.set(rowId(item), () => deleteItem({ Key: toKey(item) }));
    for (const item of puts) writes.set(rowId(item), () => putItem(item));
  }
  const all = [...writes.values()];
  for (let from = 0; from < all.length; from += writesAtOnce) {
    await Promise.all(all.slice(from, from + writesAtOnce).map((write) => write()));
  }
};

const toKey = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });
