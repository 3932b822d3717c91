import { equalSecrets, hmacSha256, type KeyRing, sha256 } from '#core/kernel/crypto.ts';
import { plainUsername } from '../users/user.ts';

/** A browser, as its session cookie names it, even after that session has ended. `mark`: '' if the cookie has none. */
export type Browser = { id: string; mark: string };

const markCharacters = 32;

const markWith = (ring: KeyRing, key: string, username: string, id: string): string =>
  hmacSha256(`browser:${ring.keys[key]}`, `${sha256(plainUsername(username))} ${id}`).slice(0, markCharacters);

/** Returns the mark of a browser that a user has signed in with. `ring`: the keys of the `jwt` secret. */
export const browserMark = (ring: KeyRing, username: string, id: string): string =>
  markWith(ring, ring.current, username, id);

/** Checks whether this user has signed in with the browser before, with any key that is or was current. */
export const isKnownBrowser = (ring: KeyRing, username: string, { id, mark }: Browser): boolean =>
  Object.keys(ring.keys).filter((key) => equalSecrets(mark, markWith(ring, key, username, id))).length > 0;
