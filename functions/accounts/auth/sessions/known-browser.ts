import { equalSecrets, hmacSha256, type KeyRing, sha256 } from '#core/kernel/crypto.ts';
import { plainUsername } from '../users/user.ts';

/** A browser, as the cookie of a session names it, also long after that session. `mark` is '' where it has none. */
export type Browser = { id: string; mark: string };

const markCharacters = 32;

const markWith = (ring: KeyRing, key: string, username: string, id: string): string =>
  hmacSha256(`browser:${ring.keys[key]}`, `${sha256(plainUsername(username))} ${id}`).slice(0, markCharacters);

/** The mark of a browser in which a user has signed in. `ring`: the key ring of the `jwt` secret. */
export const browserMark = (ring: KeyRing, username: string, id: string): string =>
  markWith(ring, ring.current, username, id);

/** Checks whether this user has signed in with the browser before, by any key that is or was the current one. */
export const isKnownBrowser = (ring: KeyRing, username: string, { id, mark }: Browser): boolean =>
  Object.keys(ring.keys).filter((key) => equalSecrets(mark, markWith(ring, key, username, id))).length > 0;
