import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { candidatesFor } from './candidate-store.ts';
import type { ClaimCandidate } from './matching.ts';
import { testCandidate } from './test-alert.ts';

/** Finds where a test alert goes: the site that is named, or the one that enrolled the descriptor. Throws site_not_found, onboarding_incomplete. */
export const findTestTarget = async (
  { sid, descriptor }: { sid?: number | undefined; descriptor: string },
  caller: Caller,
): Promise<Pick<ClaimCandidate, 'sid' | 'mid' | 'descriptor'>> => {
  if (sid === undefined) return testCandidate(await candidatesFor(descriptor), caller);
  const [item] = await getItems([keys.site(sid)]);
  const { mid } = siteVisibleTo(caller, item);
  return { sid, mid, descriptor: '' };
};
