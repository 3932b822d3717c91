import { milliseconds, now } from '#core/kernel/clock.ts';
import { type KeyRing, open, seal } from '#core/kernel/crypto.ts';
import type { GatewayKind } from '#payments/processors/ports/processors.ts';

/** Who signs in at a processor, for which merchant and kind of connection. */
export type SignInPerson = { mid: number; subject: string; kind: GatewayKind };

/** Pages of the dashboard tell it by this from the state of a sign-in to the service. */
const prefix = 'connection.';

/** Creating an account at the processor may be part of it. */
const validity = milliseconds.hour;

const contextOf = ({ mid, subject, kind }: SignInPerson): string => `merchant:${mid}:sign-in:${kind}:${subject}`;

/** Creates a state that only the same person can use, within an hour. Otherwise a person could be made to connect a foreign account. */
export const newSignInState = (ring: KeyRing, person: SignInPerson): string =>
  `${prefix}${seal(ring, contextOf(person), String(now().getTime() + validity))}`;

/** Checks a state that has come back. */
export const isSignInState = (ring: KeyRing, person: SignInPerson, state: string): boolean => {
  if (!state.startsWith(prefix)) return false;
  try {
    return Number(open(ring, contextOf(person), state.slice(prefix.length))) > now().getTime();
  } catch {
    return false;
  }
};
