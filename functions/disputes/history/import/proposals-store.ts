import { getItems } from '#core/platform/table/table.ts';
import { claimKeysFor, descriptorClaimKey, fromClaimsItem } from '#disputes/enrollments/claims/claim-row.ts';
import type { HistoryImport } from './history-import.ts';
import { type EnrollmentProposal, proposeAll, toClaim } from './proposals.ts';

/** DynamoDB's limit for one call. */
const keysPerCall = 100;

/** The keys under which the merchant's own claim of a proposal would be found: also claims of shorter prefixes. */
const keySet = (proposal: EnrollmentProposal, provider: string) => {
  const claim = toClaim(proposal);
  return proposal.descriptor === null
    ? [descriptorClaimKey(provider, claim)]
    : [descriptorClaimKey(provider, claim), ...claimKeysFor(provider, proposal.descriptor)];
};

/** Returns the enrollments that an import proposes, each with the providers at which it is still missing. */
export const readProposals = async ({ mid, statistics }: HistoryImport): Promise<EnrollmentProposal[]> => {
  const proposals = proposeAll(statistics);
  const wanted = proposals.flatMap((proposal) => proposal.provider.flatMap((provider) => keySet(proposal, provider)));
  const unique = [...new Map(wanted.map((key) => [`${key.pk}\n${key.sk}`, key])).values()];
  const own = new Set<string>();
  for (let from = 0; from < unique.length; from += keysPerCall) {
    const some = unique.slice(from, from + keysPerCall);
    for (const [index, item] of (await getItems(some)).entries()) {
      const isOwn = fromClaimsItem(item).some((claimant) => claimant.mid === mid);
      if (isOwn) own.add(some[index]?.pk ?? '');
    }
  }
  return proposals.flatMap((proposal) => {
    const provider = proposal.provider.filter((one) => !keySet(proposal, one).some(({ pk }) => own.has(pk)));
    return provider.length === 0 ? [] : [{ ...proposal, provider }];
  });
};
