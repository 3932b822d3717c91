import { milliseconds } from '../clock.ts';

/**
 * Order numbers that begin with the time of the order, such as `2612010930151234`: from 2022 to 2027 those of `YYMMDDhhmmss` are within
 * Mastercard's range. Pure. See docs/decisions/0198.
 */

/** `since` and `until`: the times of orders that are expected, in milliseconds. */
export type OrderTimes = { since: number; until: number };

/** How times are written in front, of which the first two digits may also be those of a card. */
const shapes: readonly {
  pattern: RegExp;
  order: readonly ['year', 'month', 'day'] | readonly ['day', 'month', 'year'];
}[] = [
  { pattern: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/, order: ['year', 'month', 'day'] },
  { pattern: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/, order: ['day', 'month', 'year'] },
  { pattern: /^(\d\d)(\d\d)20(\d\d)(\d\d)(\d\d)(\d\d)?/, order: ['day', 'month', 'year'] },
];

const readOrderTimes = (digits: string): number[] =>
  shapes.flatMap(({ pattern, order }) => {
    const [, first, second, third, hour, minute, after = '00'] = pattern.exec(digits) ?? [];
    // Seconds, or the first digits of a counter that follows the minute.
    const rest = after < '60' ? after : '00';
    const parts = { [order[0]]: first, [order[1]]: second, [order[2]]: third } as Record<string, string | undefined>;
    const written = `20${parts['year']}-${parts['month']}-${parts['day']}T${hour}:${minute}:${rest}.000Z`;
    const time = Date.parse(written);
    // Date.parse takes 30 February for 2 March.
    return !Number.isNaN(time) && new Date(time).toISOString() === written ? [time] : [];
  });

/** Unix time in seconds, with what a shop adds to it: from January 2027 on it begins with 1800, as cards of JCB do. */
const unixTimeOf = (digits: string): number => Number(digits.slice(0, 10)) * milliseconds.second;

/** Checks whether digits begin with the time of an order. Shops count in their own time zone, for which the bounds leave room. */
export const beginsWithOrderTime = (digits: string, { since, until }: OrderTimes): boolean =>
  [...readOrderTimes(digits), unixTimeOf(digits)].some((time) => since <= time && time <= until);

/** Amazon's order numbers, `114-1234567-1234567`: no card is printed in such groups. */
export const isMarketplaceNumber = (groups: readonly string[]): boolean =>
  groups.map((digits) => digits.length).join('-') === '3-7-7';
