import { iso } from '#core/kernel/clock.ts';

/** The card that a search is for: its whole number, or the first and last digits that a mask shows. */
export type CardWanted = { number: string | null; first6: string | null; last4: string | null };

/** A stretch of time: ISO, `from` inclusive, `to` exclusive. */
export type SearchSpan = { from: string; to: string };

/** The criteria of a search: whose transactions, of which card, and when. `label` names the period as the caller gave it. */
export type Criteria = { mid: number; card: CardWanted; span: Partial<SearchSpan>; label: string };

/** A month as `MMYYYY`. */
export const monthSpan = (text: string): SearchSpan => {
  const [month, year] = [Number(text.slice(0, 2)), Number(text.slice(2))];
  return { from: iso(Date.UTC(year, month - 1)), to: iso(Date.UTC(year, month)) };
};

const monthsBack = 3;

/** The same day and time three months ago, or the last day of that month if it is shorter. `at`: ISO. */
export const recentSince = (at: string): string => {
  const now = new Date(at);
  const month = now.getUTCMonth() - monthsBack;
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(now.getUTCDate(), lastDay);
  return iso(new Date(at).setUTCMonth(month, day));
};

type Sent = {
  card_no?: CardWanted | undefined;
  card_firstsix?: string | undefined;
  card_lastfour?: string | undefined;
  month_year?: SearchSpan | undefined;
};

/**
 * Returns the criteria of a search; undefined if the fields contradict each other, for instance if a number does not end in the last four
 * digits of another field: nothing can match then. `at`: ISO, now.
 */
export const toCriteria = (
  mid: number,
  { card_no: card, card_firstsix, card_lastfour, month_year }: Sent,
  at: string,
): Criteria | undefined => {
  const first6 = agreeOn(card?.first6, card_firstsix);
  const last4 = agreeOn(card?.last4, card_lastfour);
  if (first6 === undefined || last4 === undefined) return undefined;
  return {
    mid,
    card: { number: card?.number ?? null, first6, last4 },
    span: month_year ?? { from: recentSince(at) },
    label: month_year?.from ?? 'recent',
  };
};

/** The value that both give, or that one of them gives; null if neither does, undefined if they differ. */
const agreeOn = (one: string | null | undefined, other: string | null | undefined): string | null | undefined =>
  one && other && one !== other ? undefined : (one ?? other ?? null);
