import type { KeyRing } from '#core/kernel/crypto.ts';
import { WithHeaders } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { type Authentication, isDone } from '../authentication/authentication.ts';
import { getProven } from '../authentication/authentication-store.ts';
import { toClientReply } from './replies.ts';

export type PageReply = ReturnType<typeof toClientReply>;

/**
 * Returns a reply that the page may read, and no other page: its browser gets this permission if the call comes from the page's origin,
 * with refusals too. `work` learns the page's owner from the row.
 */
export const forPage = async <T>(
  origin: string,
  work: (learn: (authentication: Authentication | undefined) => void) => Promise<T>,
): Promise<WithHeaders<T>> => {
  let headers: Record<string, string> = {};
  const learn = (authentication: Authentication | undefined): void => {
    if (origin !== '' && authentication?.pageOrigin === origin) {
      headers = { 'access-control-allow-origin': origin, vary: 'origin' };
    }
  };
  try {
    return new WithHeaders(await work(learn), headers);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.details, { cause: error.cause, headers: { ...error.headers, ...headers } });
  }
};

/** Returns the result of an authentication as another process left it, its value included where the site wants it. */
export const doneReply = async (authentication: Authentication, ring: KeyRing): Promise<PageReply> => {
  if (!isDone(authentication) || !authentication.settings.tellsValues) return toClientReply(authentication);
  return toClientReply(authentication, (await getProven(authentication.id, ring))?.value ?? null);
};
