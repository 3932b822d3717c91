import { getItems } from '#core/platform/table/table.ts';
import { claimKeysFor, fromClaimsItem } from '#disputes/enrollments/claims/claim-row.ts';
import { enrolledProviders } from '#disputes/providers/providers.ts';
import type { ClaimCandidate } from './matching.ts';

/** The enrolled claims of any provider that fit a descriptor. */
export const candidatesFor = async (descriptor: string): Promise<ClaimCandidate[]> => {
  const items = await Promise.all(enrolledProviders.map((provider) => getItems(claimKeysFor(provider, descriptor))));
  return items.flat().flatMap(fromClaimsItem);
};
