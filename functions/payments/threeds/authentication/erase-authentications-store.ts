import { nowIso } from '#core/kernel/clock.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import { type Authentication, isAbandoned, isDone } from './authentication.ts';
import { type AuthenticationSummary, authenticationEntity, facetsOfOpen } from './authentication-row.ts';
import { getAuthentication, saveAuthentication } from './authentication-store.ts';
import { endAbandoned, endWithoutResult } from './conclusion.ts';

const atOnce = 10;

/** The authentication without its payer's data, if those are the customer's or the payer has left; undefined: it stays. */
const eraseFrom = (authentication: Authentication, email: string, at: string): Authentication | undefined => {
  if (isDone(authentication)) return undefined;
  if (authentication.payer?.email?.toLowerCase() === email.toLowerCase()) {
    return endWithoutResult(authentication, { outcome: 'canceled', reason: 'abort' }, at);
  }
  return isAbandoned(authentication, at) ? endAbandoned(authentication, at) : undefined;
};

/**
 * Ends a merchant's authentications whose payer has an e-mail address, which removes the payer's data; those that are done keep
 * none. Also ends abandoned ones, so that calls that are repeated while there are `more` come to an end.
 */
export const eraseAuthentications = async (
  mid: number,
  email: string,
  most: number,
): Promise<{ erased: number; more: boolean }> => {
  const open = await readFirst<AuthenticationSummary>({
    entity: authenticationEntity,
    scopeIndex: 1,
    scope: `M${mid}`,
    facets: facetsOfOpen(),
    order: 'ASC',
    size: most + 1,
  });
  const looked = open.slice(0, most);
  let count = 0;
  for (let from = 0; from < looked.length; from += atOnce) {
    const ended = await Promise.all(
      looked.slice(from, from + atOnce).map(({ authentication_id: id }) => erase(id, email)),
    );
    count += ended.filter(Boolean).length;
  }
  return { erased: count, more: open.length > most };
};

/** Tries again where the payer goes on at the same moment. Returns whether it was the customer's. */
const erase = async (id: number, email: string): Promise<boolean> => {
  for (;;) {
    const before = await getAuthentication(id);
    const after = before && eraseFrom(before, email, nowIso());
    if (!before || !after) return false;
    const saved = await saveAuthentication(before, after);
    if (isDone(saved)) return after.outcome === 'canceled';
  }
};
