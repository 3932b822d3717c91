import type { AlertRow } from '../app/operations.ts';

type Due = Pick<AlertRow, 'alert_date' | 'deadline'>;

/** A page of one list, in the order of receipt; with a cursor if the list goes on behind it. */
export type ListRead = { list: readonly Due[]; next_cursor: string | null };

/** Deadlines have whole seconds: fractions of those of the receipt would make equal times to answer differ. */
const receivedAt = ({ alert_date }: Due): number => Math.floor(Date.parse(alert_date) / 1000) * 1000;

const dueSpan = (alert: Due): number =>
  alert.deadline === null ? Number.POSITIVE_INFINITY : Date.parse(alert.deadline) - receivedAt(alert);

/** When what follows a list's page can be due at the earliest, by the shortest time to answer that is seen in it. */
const nextDueOf = ({ list, next_cursor }: ListRead): number => {
  const last = list.at(-1);
  if (next_cursor === null || !last) return Number.POSITIVE_INFINITY;
  return receivedAt(last) + Math.min(...list.map(dueSpan));
};

/** Checks whether a later page may hold something that is due before the last of what is shown: lists are read in the order of receipt. */
export const mayBeDueEarlier = (lists: readonly ListRead[]): boolean => {
  const due = lists
    .flatMap(({ list }) => list)
    .flatMap(({ deadline }) => (deadline === null ? [] : Date.parse(deadline)));
  return Math.min(...lists.map(nextDueOf)) < Math.max(...due);
};
