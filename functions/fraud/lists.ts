import { countryOf, emailOf, type FraudSubject, ipOf } from './subject.ts';

/** Whom a site always refuses (`block`) and always takes (`allow`). */
export const listKinds = ['cards', 'emails', 'ips', 'countries', 'bins'] as const;
export type ListKind = (typeof listKinds)[number];

/** A card of a list: by its fingerprint, with a mask for people. */
export type ListedCard = { token: string; card: string };
export type FraudList = { cards: readonly ListedCard[] } & Readonly<
  Record<Exclude<ListKind, 'cards'>, readonly string[]>
>;
export type FraudLists = {
  block: FraudList;
  allow: FraudList;
  /** Goes up with every write; 0: nothing was ever set. */
  version: number;
};

const emptyList: FraudList = { cards: [], emails: [], ips: [], countries: [], bins: [] };
export const emptyLists: FraudLists = { block: emptyList, allow: emptyList, version: 0 };

/** How many entries both lists may have together: a payment reads them all. */
export const mostEntries = 1000;

export const entriesOf = ({ block, allow }: FraudLists): number =>
  [block, allow].flatMap((list) => listKinds.map((kind) => list[kind].length)).reduce((sum, one) => sum + one, 0);

const words: Readonly<Record<ListKind, string>> = {
  cards: 'card',
  emails: 'email',
  ips: 'ip',
  countries: 'country',
  bins: 'bin',
};

/** By what a list knows a subject, if it does. */
const knownBy = (list: FraudList, subject: FraudSubject): string[] => {
  const { card, earlierTokens = [] } = subject;
  const tokens = card ? [card.token, ...earlierTokens] : [];
  const values = { emails: emailOf(subject), ips: ipOf(subject), countries: countryOf(subject), bins: card?.first6 };
  const byCard = list.cards.some(({ token }) => tokens.includes(token));
  const others = (['emails', 'ips', 'countries', 'bins'] as const).filter((kind) => {
    const value = values[kind];
    return value != null && list[kind].includes(value);
  });
  return [...(byCard ? (['cards'] as const) : []), ...others].map((kind) => words[kind]);
};

export type ListVerdict = { decision: 'ACCEPT' | 'REJECT'; reasons: string[] };

/** What the lists say; nothing of most. Who is on both is refused. */
export const listVerdict = (lists: FraudLists, subject: FraudSubject): ListVerdict | undefined => {
  const blocked = knownBy(lists.block, subject);
  if (blocked.length > 0) return { decision: 'REJECT', reasons: blocked.map((word) => `blocked_${word}`) };
  const allowed = knownBy(lists.allow, subject);
  return allowed.length > 0 ? { decision: 'ACCEPT', reasons: allowed.map((word) => `allowed_${word}`) } : undefined;
};
