import { type PageRequest, readPage } from '#core/platform/lists/listing-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, type Key } from '#core/platform/table/table.ts';
import { alertEntity } from '#disputes/alerts/alert-row.ts';
import { chargebackEntity } from '#disputes/chargebacks/chargeback-row.ts';
import { placeEntity } from '#payments/orders/order-place-row.ts';
import { transactionEntity } from '#payments/transactions/transaction/transaction-row.ts';
import { saveSearchEntries } from './search-entry-store.ts';

type Listed = { alert_id?: number; chargeback_id?: string; txid?: number; order_id?: number };

/** The lists of a merchant whose rows are found, each with the keys of the rows that an entry of the list stands for. */
const listsToIndex: readonly {
  list: Pick<PageRequest, 'entity' | 'scopeIndex'>;
  keysOf: (listed: Listed) => readonly Key[];
}[] = [
  {
    list: { entity: alertEntity, scopeIndex: 2 },
    keysOf: ({ alert_id: id = 0 }) => [keys.alert(id), keys.disputeHold(id)],
  },
  { list: { entity: chargebackEntity, scopeIndex: 2 }, keysOf: ({ chargeback_id: id = '' }) => [keys.chargeback(id)] },
  { list: { entity: transactionEntity, scopeIndex: 1 }, keysOf: ({ txid = 0 }) => [keys.transaction(txid)] },
  { list: { entity: placeEntity, scopeIndex: 2 }, keysOf: ({ order_id: id = 0 }) => [keys.orderPlace(id)] },
];

/** Where an order's place says that its row is; other rows are themselves. */
const orderRowsOf = (items: readonly (Item | undefined)[]): Key[] =>
  items.flatMap((item) =>
    item?.['entity'] === placeEntity && item['deleted'] !== true
      ? [keys.order(Number(item['mid']), String(item['ends']), String(item['transactionDate']), Number(item['id']))]
      : [],
  );

/** Writes the entries of all rows of a merchant: for those that a release before the search has written. May be repeated at any time. */
export const indexMerchant = async (mid: number, progress: { items: number }): Promise<void> => {
  for (const { list, keysOf } of listsToIndex) {
    let cursor: string | null | undefined;
    do {
      const request = { ...list, scope: `M${mid}`, order: 'ASC', size: 50 } as const;
      const page = await readPage<Listed>({ ...request, ...(cursor && { cursor }) });
      const rows = await getItems(page.list.flatMap(keysOf));
      const orders = orderRowsOf(rows);
      const items = [...rows, ...(orders.length > 0 ? await getItems(orders) : [])];
      await saveSearchEntries(items.map((after) => ({ before: undefined, after })));
      progress.items += page.list.length;
      cursor = page.next_cursor;
    } while (cursor);
  }
};
