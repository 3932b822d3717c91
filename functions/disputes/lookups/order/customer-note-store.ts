import { deleteItem, putItem, queryItems } from '#core/platform/table/table.ts';
import {
  type CustomerName,
  type CustomerNote,
  customerNotesPartition,
  fromCustomerNoteItem,
  toCustomerNoteItem,
} from './customer-note-row.ts';

const maxNotes = 100;

const readPartition = async (mid: number, customer: CustomerName) => {
  const { items } = await queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': customerNotesPartition(mid, customer) },
    ScanIndexForward: false,
    Limit: maxNotes,
  });
  return items;
};

/** The notes about a customer, newest first; at most 100. */
export const readCustomerNotes = async (mid: number, customer: CustomerName): Promise<CustomerNote[]> =>
  (await readPartition(mid, customer)).map(fromCustomerNoteItem).toSorted((one, other) => (one.at < other.at ? 1 : -1));

/** Adds a note. `id`: of the call; one that is repeated adds none. */
export const addCustomerNote = (mid: number, customer: CustomerName, note: CustomerNote, id: string): Promise<void> =>
  putItem(toCustomerNoteItem(mid, customer, note, id));

/** Deletes all notes about a customer. */
export const eraseCustomerNotes = async (mid: number, customer: CustomerName): Promise<void> => {
  let items = await readPartition(mid, customer);
  while (items.length > 0) {
    await Promise.all(items.map(({ pk, sk }) => deleteItem({ Key: { pk: String(pk), sk: String(sk) } })));
    items = await readPartition(mid, customer);
  }
};
