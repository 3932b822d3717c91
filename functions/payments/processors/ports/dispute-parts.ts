import { iso, nowMilliseconds } from '#core/kernel/clock.ts';
import type { DisputesAnswer } from './dispute.ts';

/** A period of disputes: from a time (inclusive) to another (exclusive; undefined: now). `isLeast`: it is not divided further. */
export type DisputePeriod = { from: string; before: string | undefined; isLeast: boolean };

/** `more`: the period has more than is read at once. */
export type PartOfDisputes = DisputesAnswer | 'more';

/**
 * Reads the newest part of a period, in whatever order the processor lists: the newer half of it, and half of that, as long as there is more than is
 * read at once. The answer's `before` says where the rest ends. `least`: the milliseconds that are read completely, however many they have.
 */
export const readNewestPart = async (
  from: string,
  { before, least }: { before: string | undefined; least: number },
  read: (period: DisputePeriod) => Promise<PartOfDisputes>,
): Promise<DisputesAnswer> => {
  const end = before === undefined ? nowMilliseconds() : Date.parse(before);
  let start = Date.parse(from);
  for (;;) {
    const answer = await read({ from: iso(start), before, isLeast: end - start <= least });
    if (answer !== 'more') {
      const isWhole = 'unknown' in answer || start <= Date.parse(from);
      return isWhole ? answer : { ...answer, before: iso(start) };
    }
    start = Math.max(start, end - Math.max(least, Math.floor((end - start) / 2)));
  }
};

type Named = { reference: string };

/**
 * Checks whether a full page has nothing that earlier pages lack: a list that ignores the page it is asked for would be read without end. A page that
 * is not full is the last one.
 */
export const repeatsPage = (earlier: readonly Named[], page: readonly Named[]): boolean =>
  page.every(({ reference }) => earlier.some((one) => one.reference === reference));

/** The answer of a list that repeats a page or its cursor: what comes after it is not known. */
export const endlessList = (processor: string): { unknown: string } => ({
  unknown: `${processor} repeats a page of its list`,
});
