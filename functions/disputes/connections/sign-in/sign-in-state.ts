import { milliseconds, now } from '#core/kernel/clock.ts';
import { type KeyRing, open, seal } from '#core/kernel/crypto.ts';
import type { ConnectionKind } from '#payments/processors/ports/processors.ts';

/** A person who signs in at a processor, with the merchant and the kind of connection. */
export type SignInPerson = { mid: number; subject: string; kind: ConnectionKind };

/** The dashboard reads from it that a state belongs to a connection, and of which kind. */
const statePrefix = (kind: ConnectionKind): string => `connection.${kind}.`;

/** Creating an account at the processor may be part of it. */
const validity = milliseconds.hour;

const stateContext = ({ mid, subject, kind }: SignInPerson): string => `merchant:${mid}:sign-in:${kind}:${subject}`;

/** Creates a state that only the same person can use, within an hour. Otherwise a person could be made to connect a foreign account. */
export const newSignInState = (ring: KeyRing, person: SignInPerson): string =>
  `${statePrefix(person.kind)}${seal(ring, stateContext(person), String(now().getTime() + validity))}`;

/** Checks a state that has come back. */
export const isSignInState = (ring: KeyRing, person: SignInPerson, state: string): boolean => {
  const prefix = statePrefix(person.kind);
  if (!state.startsWith(prefix)) return false;
  try {
    return Number(open(ring, stateContext(person), state.slice(prefix.length))) > now().getTime();
  } catch {
    return false;
  }
};
