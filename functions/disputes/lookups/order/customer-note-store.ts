import { deleteItem, putItem, queryItems } from '#core/platform/table/table.ts';
import {
  type CustomerName,
  type CustomerNote,
  customerNotesPartitions,
  fromCustomerNoteItem,
  toCustomerNoteItem,
} from './customer-note-row.ts';

const maxNotes = 100;

const readPartition = async (partition: string) => {
  const { items } = await queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': partition },
    ScanIndexForward: false,
    Limit: maxNotes,
  });
  return items;
};

/** The notes under any name of a customer, newest first; at most 100. */
export const readCustomerNotes = async (mid: number, names: readonly CustomerName[]): Promise<CustomerNote[]> =>
  (await Promise.all(customerNotesPartitions(mid, names).map(readPartition)))
    .flat()
    .map(fromCustomerNoteItem)
    .toSorted((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, maxNotes);

/** Adds a note. `id`: of the call; one that is repeated adds none. */
export const addCustomerNote = (mid: number, customer: CustomerName, note: CustomerNote, id: string): Promise<void> =>
  putItem(toCustomerNoteItem(mid, customer, note, id));

/** Deletes all notes under the names of customers. */
export const eraseCustomerNotes = async (mid: number, names: readonly CustomerName[]): Promise<void> => {
  for (const partition of customerNotesPartitions(mid, names)) {
    let items = await readPartition(partition);
    while (items.length > 0) {
      await Promise.all(items.map(({ pk, sk }) => deleteItem({ Key: { pk: String(pk), sk: String(sk) } })));
      items = await readPartition(partition);
    }
  }
};
