import { codeOfKind } from './kind-codes.ts';
import type { FollowUpCommand, Outcome } from './processor.ts';

/**
 * Who does a thing, where a processor knows no idempotency keys: whoever takes a name first asks the processor, and everybody
 * after them looks what came of it. One that was taken and never asked for is found out by a query, once it is certain.
 */
export type Claims = {
  take(name: string, holder: string): Promise<Claim>;
  /** Gives a name back, if it is the holder's: what it was taken for surely was not done. */
  release(name: string, holder: string): Promise<void>;
};

/** Whose a name is, and whether it was free until now. */
export type Claim = { holder: string; isNew: boolean };

/** `act` asks the processor; `repeat` looks what came of an earlier try of the same key. */
type Ways = { act(): Promise<Outcome>; repeat(): Promise<Outcome> };

/** What surely left nothing at the processor gives the name back, so that the same key may be sent again. */
const claimed = async (
  claims: Claims,
  { name, holder }: { name: string; holder: string },
  { act, repeat, taken }: Ways & { taken(): Promise<Outcome> },
): Promise<Outcome> => {
  const claim = await claims.take(name, holder);
  if (claim.holder !== holder) return taken();
  if (!claim.isNew) return repeat();
  const outcome = await act();
  if (outcome.outcome === 'EXC' && outcome.reference === null) await claims.release(name, holder);
  return outcome;
};

/** Does something once for a name. */
export const once = (claims: Claims, name: string, ways: Ways): Promise<Outcome> =>
  claimed(claims, { name, holder: name }, { ...ways, taken: ways.repeat });

type End = 'capture' | 'void';
const endName = (reference: string): string => `end:${reference}`;
const endHolder = (kind: End, idempotencyKey: string): string => `${kind}:${idempotencyKey}`;

/**
 * Captures or voids a payment: the first of the two has it, as a processor would void what was captured a moment ago. What came
 * to nothing lets the other be done.
 */
export const endOnce = (
  claims: Claims,
  kind: End,
  { reference, idempotencyKey }: Pick<FollowUpCommand, 'reference' | 'idempotencyKey'>,
  ways: Ways,
): Promise<Outcome> => {
  const detail = 'another capture or void of it was first';
  const taken = async (): Promise<Outcome> => ({ outcome: 'EXC', code: codeOfKind[kind], reference: null, detail });
  return claimed(claims, { name: endName(reference), holder: endHolder(kind, idempotencyKey) }, { ...ways, taken });
};

/** Lets the other of the two be done, once it is certain that this one was not. */
export const releaseEnd = (claims: Claims, kind: End, reference: string, idempotencyKey: string): Promise<void> =>
  claims.release(endName(reference), endHolder(kind, idempotencyKey));
