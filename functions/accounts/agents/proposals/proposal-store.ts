import * as v from 'valibot';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { open, seal } from '#core/kernel/crypto.ts';
import { randomText } from '#core/kernel/ids.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { Proposal, proposalContext, proposalMilliseconds } from './proposal.ts';

/** Returns the token of a new proposal: sealed, so that only this service reads it, and bound to its caller. */
export const sealProposal = async (
  { action, input }: Pick<Proposal, 'action' | 'input'>,
  caller: Caller,
): Promise<string> => {
  const proposal: Proposal = {
    action,
    input,
    number: randomText(24),
    expiresAt: nowMilliseconds() + proposalMilliseconds,
  };
  return seal(await keyRing('encryption'), proposalContext(caller), JSON.stringify(proposal));
};

const Sealed = v.pipe(v.string(), v.parseJson(), Proposal);

/** Returns the proposal of a token; `wrong`: it was changed, or belongs to another caller. */
export const openProposal = async (token: string, caller: Caller): Promise<Proposal | 'wrong' | 'expired'> => {
  const ring = await keyRing('encryption');
  let text: string;
  try {
    text = open(ring, proposalContext(caller), token);
  } catch {
    return 'wrong';
  }
  const proposal = v.parse(Sealed, text);
  return proposal.expiresAt > nowMilliseconds() ? proposal : 'expired';
};
