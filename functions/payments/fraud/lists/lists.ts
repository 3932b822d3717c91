import { type Facts, factLabel } from '#payments/conditions/fact-values.ts';
import { canonicalEmail, type FraudSubject, payerCountry, payerEmail, payerIp } from '../check/subject.ts';
import { matchesBin, matchesEmail, matchesIp } from './entry-match.ts';

/** Whom a site always refuses (`block`), always takes (`allow`), and has the rules of its template look at (`watch`). */
const listKinds = ['cards', 'emails', 'ips', 'countries', 'bins'] as const;
type ListKind = (typeof listKinds)[number];

/** A card of a list: by its fingerprint, with a mask for people. */
export type ListedCard = { token: string; card: string };
export type FraudList = { cards: readonly ListedCard[] } & Readonly<
  Record<Exclude<ListKind, 'cards'>, readonly string[]>
>;
export type FraudLists = {
  block: FraudList;
  allow: FraudList;
  watch: FraudList;
  /** Goes up with every write; 0: nothing was ever set. */
  version: number;
};

const emptyList: FraudList = { cards: [], emails: [], ips: [], countries: [], bins: [] };
export const emptyLists: FraudLists = { block: emptyList, allow: emptyList, watch: emptyList, version: 0 };

/** The number of entries that all lists may have together: a payment reads them all. */
export const maxEntries = 1000;

export const countEntries = ({ block, allow, watch }: FraudLists): number =>
  [block, allow, watch]
    .flatMap((list) => listKinds.map((kind) => list[kind].length))
    .reduce((sum, one) => sum + one, 0);

/** The payer to refuse from now on, as far as is known. */
export type BlockedPayer = { card: ListedCard | null; email: string | null };

/** The lists with a payer added to the block list; unchanged if already there; undefined if there is no room. */
export const addBlocked = (lists: FraudLists, { card, email }: BlockedPayer): FraudLists | undefined => {
  const { block } = lists;
  const cards = card && !block.cards.some(({ token }) => token === card.token) ? [...block.cards, card] : block.cards;
  const address = email === null ? null : canonicalEmail(email);
  const emails = address === null || block.emails.includes(address) ? block.emails : [...block.emails, address];
  if (cards === block.cards && emails === block.emails) return lists;
  const after = { ...lists, block: { ...block, cards, emails } };
  return countEntries(after) > maxEntries ? undefined : after;
};

/** The name of one entry of each kind, in reasons and in facts. */
const words = {
  cards: 'card',
  emails: 'email',
  ips: 'ip',
  countries: 'country',
  bins: 'bin',
} as const satisfies Record<ListKind, string>;

/** The kinds of entry by which a payer can be on a list. */
export const listScopes = listKinds.map((kind) => words[kind]);

/** For each kind, whether a list has an entry for a subject; null if the subject has nothing of that kind. */
const matchKinds = (list: FraudList, subject: FraudSubject): Record<ListKind, boolean | null> => {
  const { card, earlierTokens = [] } = subject;
  const tokens = card && [card.token, ...earlierTokens];
  const has = (
    kind: Exclude<ListKind, 'cards'>,
    value: string | null | undefined,
    matches: (entry: string, value: string) => boolean,
  ) => (value == null ? null : list[kind].some((entry) => matches(entry, value)));
  return {
    cards: tokens && list.cards.some(({ token }) => tokens.includes(token)),
    emails: has('emails', payerEmail(subject), matchesEmail),
    ips: has('ips', payerIp(subject), matchesIp),
    countries: has('countries', payerCountry(subject), (entry, country) => entry === country),
    bins: has('bins', card?.first6, (entry, first6) => matchesBin(entry, { first6, bin: subject.bin })),
  };
};

/** The kinds of entry that a list has for a subject. */
const matchedKinds = (list: FraudList, subject: FraudSubject): string[] => {
  const matches = matchKinds(list, subject);
  return listKinds.filter((kind) => matches[kind]).map((kind) => words[kind]);
};

/**
 * Checks whether a subject is watched, as facts: only yes or no. Null if the subject has nothing of a kind, or the site watches nothing of
 * it: many sites share a template, and a rule for payers who are not on a list must not match every payer of a site that keeps no list.
 */
export const watchedFacts = ({ watch }: FraudLists, subject: FraudSubject): Facts => {
  const matches = matchKinds(watch, subject);
  return Object.fromEntries(
    listKinds.map((kind) => [
      factLabel('watched', { of: words[kind] }),
      watch[kind].length === 0 ? null : matches[kind],
    ]),
  );
};

export type ListVerdict = { decision: 'ACCEPT' | 'REJECT'; reasons: string[] };

/** The lists' verdict; undefined for most subjects. A subject on both lists is refused. */
export const listVerdict = (lists: FraudLists, subject: FraudSubject): ListVerdict | undefined => {
  const blocked = matchedKinds(lists.block, subject);
  if (blocked.length > 0) return { decision: 'REJECT', reasons: blocked.map((word) => `blocked_${word}`) };
  const allowed = matchedKinds(lists.allow, subject);
  return allowed.length > 0 ? { decision: 'ACCEPT', reasons: allowed.map((word) => `allowed_${word}`) } : undefined;
};
