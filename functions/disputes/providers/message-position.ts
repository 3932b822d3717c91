import { datePart } from '#core/kernel/clock.ts';
/** Where a message stands among a provider's messages about one case. `date`: ISO, or empty if the provider gave none. */
export type MessagePosition = { sequence: number | null; date: string };

/** Checks whether a time is a date without a time, which says nothing about the hour. */
export const isWholeDay = (date: string): boolean => date.endsWith('T00:00:00.000Z');
const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/**
 * Below zero if the left message is older by the provider's own count or date, above zero if it is newer; zero if the provider does not
 * say. A date without a time is compared by its day.
 */
export const comparePositions = (left: MessagePosition, right: MessagePosition): number => {
  if (left.sequence !== null && right.sequence !== null && left.sequence !== right.sequence) {
    return left.sequence - right.sequence;
  }
  if (left.date === '' || right.date === '') return 0;
  return isWholeDay(left.date) || isWholeDay(right.date)
    ? compareTexts(datePart(left.date), datePart(right.date))
    : compareTexts(left.date, right.date);
};
