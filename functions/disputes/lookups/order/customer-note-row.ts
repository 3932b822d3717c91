import * as v from 'valibot';
import { milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { canonicalEmail } from '#payments/fraud/check/subject.ts';

/** A note about a customer, for colleagues. `at`: ISO; `sid`: the site whose purchase it was added to, null where that is not known. */
export type CustomerNote = { at: string; by: string; text: string; sid: number | null };

/** The name of a customer: an e-mail address or, without one, an account. */
export type CustomerName = { email?: string | null | undefined; account_id?: string | null | undefined };

const NoteRow = defineRow<CustomerNote>({
  entity: 'CUSTOMER_NOTE',
  attribute: 'note',
  schema: v.looseObject({ at: v.string(), by: v.string(), text: v.string(), sid: v.nullable(v.number()) }),
});

/** Notes are kept as long as look-ups. */
const keptDays = 400;

const noteKey = (mid: number, { email, account_id: account }: CustomerName): string =>
  sha256(`${mid}\n${email ? canonicalEmail(email) : `#${account?.trim()}`}`).slice(0, 40);

/** The partitions of notes under every address and every account of a customer. */
export const customerNotesPartitions = (mid: number, names: readonly CustomerName[]): string[] => {
  const single = names.flatMap(({ email, account_id }) => [
    ...(email ? [{ email }] : []),
    ...(account_id ? [{ account_id }] : []),
  ]);
  return [...new Set(single.map((name) => keys.customerNote(mid, noteKey(mid, name), '').pk))];
};

/** `id`: the same for a call that is repeated. */
export const toCustomerNoteItem = (mid: number, customer: CustomerName, note: CustomerNote, id: string): Item => ({
  ...keys.customerNote(mid, noteKey(mid, customer), sha256(id).slice(0, 40)),
  ...NoteRow.stamp,
  note,
  ttl: Math.ceil((Date.parse(note.at) + keptDays * milliseconds.day) / 1000),
});

/** Reads a note back. */
export const fromCustomerNoteItem = NoteRow.read;
