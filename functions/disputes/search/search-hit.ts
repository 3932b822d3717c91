import type { SearchFields } from './search-fields.ts';
import type { SearchQuery, SearchToken } from './search-query.ts';

/** A row that the index named, as it is now. `mid` and `sid`: whose it is. */
export type Hit = {
  mid: number | null;
  sid: number | null;
  fields: SearchFields;
  currency: string;
  test: boolean;
};

const holds = (fields: SearchFields, { term, field }: SearchToken): boolean =>
  field === null
    ? Object.values(fields).some((terms) => terms.includes(term))
    : (fields[field]?.includes(term) ?? false);

/** The index has rows under terms of others: those of the payment or the order that they are about. */
const mayBeOfAnother = (fields: SearchFields, token: SearchToken): boolean => !holds(fields, { ...token, field: null });

/**
 * Checks whether a row is what a query asks for. `driver`: the token by which the index named it; `isLinked`: it may have been named by the terms of
 * its payment or order.
 */
export const isWantedHit = (
  { fields, currency, test }: Hit,
  { tokens, test: wantsTest }: SearchQuery,
  driver: SearchToken,
  isLinked: boolean,
): boolean =>
  (wantsTest === null || wantsTest === test) &&
  tokens.every((token) => {
    if (token.currency !== undefined && token.currency !== currency) return false;
    if (holds(fields, token)) return true;
    return token === driver && isLinked && mayBeOfAnother(fields, token);
  });

/** A person as purchases name them. */
export type PersonSeen = {
  email: string | null;
  name: string | null;
  account: string | null;
  purchase: string;
  at: string;
};

/** Those whom purchases name, who bought most recently first, each once: by address or, without one, by account. */
export const toPeople = (seen: readonly PersonSeen[]) => {
  const known = Map.groupBy(
    seen.filter(({ email, account }) => email !== null || account !== null),
    ({ email, account }) => email ?? `#${account}`,
  );
  return [...known.values()]
    .map((all) => {
      const newest = all.toSorted((one, other) => (one.at < other.at ? 1 : -1));
      const first = <K extends 'email' | 'name' | 'account'>(key: K) =>
        newest.map((one) => one[key]).find((value) => value !== null) ?? null;
      return {
        ...{ email: first('email'), name: first('name'), account_id: first('account') },
        purchases: new Set(all.map(({ purchase }) => purchase)).size,
        last_at: newest[0]?.at ?? '',
        purchase_id: Number(newest[0]?.purchase),
      };
    })
    .toSorted((one, other) => (one.last_at < other.last_at ? 1 : -1));
};
