import { codeOfKind } from '../kind-codes.ts';
import type { FollowUpCommand, ProcessorResult } from '../ports/processor.ts';

/**
 * Decides which process performs an operation at a processor without idempotency keys: the one that claims a name first asks the processor,
 * and all others read the result. If a name was claimed but nothing sent, a query shows it once that is certain.
 */
export type ProcessorClaims = {
  take(name: string, holder: string): Promise<ProcessorClaim>;
  /** Releases a name, if it is the holder's: the operation was surely not done. */
  release(name: string, holder: string): Promise<void>;
};

/** The holder of a name, and whether the name was free until now. */
type ProcessorClaim = { holder: string; isNew: boolean };

/** `act` asks the processor; `repeat` looks up the result of an earlier try with the same key. */
type Ways = { act(): Promise<ProcessorResult>; repeat(): Promise<ProcessorResult> };

/** If the operation surely left nothing at the processor, the name is released, so that the same key may be sent again. */
const claimAndAct = async (
  claims: ProcessorClaims,
  { name, holder }: { name: string; holder: string },
  { act, repeat, onTaken }: Ways & { onTaken(): Promise<ProcessorResult> },
): Promise<ProcessorResult> => {
  const claim = await claims.take(name, holder);
  if (claim.holder !== holder) return onTaken();
  if (!claim.isNew) return repeat();
  const outcome = await act();
  if (outcome.outcome === 'EXC' && outcome.reference === null) await claims.release(name, holder);
  return outcome;
};

/** Does something once for a name. */
export const once = (claims: ProcessorClaims, name: string, ways: Ways): Promise<ProcessorResult> =>
  claimAndAct(claims, { name, holder: name }, { ...ways, onTaken: ways.repeat });

type End = 'capture' | 'void';
const endName = (reference: string): string => `end:${reference}`;
const endHolder = (kind: End, idempotencyKey: string): string => `${kind}:${idempotencyKey}`;

/**
 * Captures or voids a payment: only the first of the two, as a processor would void what was captured a moment ago. If that one
 * fails, the other may be done.
 */
export const endOnce = (
  claims: ProcessorClaims,
  kind: End,
  { reference, idempotencyKey }: Pick<FollowUpCommand, 'reference' | 'idempotencyKey'>,
  ways: Ways,
): Promise<ProcessorResult> => {
  const detail = 'another capture or void of it was first';
  const onTaken = async (): Promise<ProcessorResult> => ({
    outcome: 'EXC',
    code: codeOfKind[kind],
    reference: null,
    detail,
  });
  return claimAndAct(
    claims,
    { name: endName(reference), holder: endHolder(kind, idempotencyKey) },
    { ...ways, onTaken },
  );
};

/** Allows the other of the two, once it is certain that this one was not done. */
export const releaseEnd = (
  claims: ProcessorClaims,
  kind: End,
  reference: string,
  idempotencyKey: string,
): Promise<void> => claims.release(endName(reference), endHolder(kind, idempotencyKey));
