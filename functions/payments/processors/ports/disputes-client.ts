import { disputeLoaders } from '../registered/registered-disputes-client.ts';
import type { Account } from './account.ts';
import type { DisputePort } from './dispute.ts';
import type { AnyProcessorName } from './processors.ts';

/** The disputes of an account; undefined if its processor reports none. */
export const disputesAt = async (processor: AnyProcessorName, account: Account): Promise<DisputePort | undefined> => {
  const load = await disputeLoaders[processor]?.();
  return load?.(account);
};
