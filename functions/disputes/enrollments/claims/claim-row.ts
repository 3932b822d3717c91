import * as v from 'valibot';
import {
  type ClaimRule,
  claimsOfDescriptor,
  claimsOfNetworkCase,
  type DescriptorClaim,
  type NetworkTraits,
} from '#core/kernel/descriptor.ts';
import { numbers, texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Key } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { Enrollment, EnrollmentItem, MatchType } from '../enrollment.ts';

/** An enrolled item that claims something. */
export type Claimant = {
  sid: number;
  mid: number;
  rid: number;
  enrollmentId: number;
  /** The item's number within its request. */
  itemNumber: number;
  /** As enrolled; empty if the item is enrolled by network and has none. */
  descriptor: string;
  matchType: MatchType | null;
  enrolledAt: string;
};

/** All who claim one text by one rule. */
export type DescriptorClaims = DescriptorClaim & {
  provider: string;
  claimants: readonly Claimant[];
  /** Goes up with every write; 0 where there is no row yet. The row stays when the last claimant is gone. */
  version: number;
};

/** A claimant, and the rule by which it claims: `length` is that of the claimed text, which decides between prefixes. */
export type FoundClaimant = Claimant & { rule: ClaimRule; length: number };

export const descriptorClaimKey = (provider: string, { rule, text }: DescriptorClaim): Key =>
  keys.claims(provider, rule, text);

/** The keys under which claimants of an alert's descriptor are found: at most 65, none twice. */
export const claimKeysFor = (provider: string, descriptor: string): Key[] =>
  claimsOfDescriptor(descriptor).map((claim) => descriptorClaimKey(provider, claim));

/** The keys under which claimants of a network's case are found: at most 67, none twice. */
export const networkClaimKeys = (provider: string, traits: NetworkTraits): Key[] =>
  claimsOfNetworkCase(traits).map((claim) => descriptorClaimKey(provider, claim));

const claimsEntity = 'CLAIMS';

/** The scope of a provider's claimed texts in order: those that begin alike are together in the index list1. */
export const claimedTexts = (provider: string, text: string): string =>
  `${claimsEntity}#${provider}#${[...text][0] ?? ''}`;

const isText = ({ rule }: DescriptorClaim): boolean => rule === 'EXACT' || rule === 'PREFIX';

const ClaimsRow = defineRow<DescriptorClaims>({
  entity: claimsEntity,
  attribute: null,
  schema: v.looseObject({
    ...texts('rule', 'text', 'provider'),
    claimants: v.array(
      v.looseObject({
        ...numbers('sid', 'mid', 'rid', 'enrollmentId', 'itemNumber'),
        descriptor: v.string(),
        matchType: v.nullable(v.string()),
        enrolledAt: v.string(),
      }),
    ),
    version: v.number(),
  }),
});

export const toClaimsItem = (claims: DescriptorClaims): Item => ({
  ...descriptorClaimKey(claims.provider, claims),
  ...ClaimsRow.stamp,
  ...(isText(claims) &&
    claims.claimants.length > 0 && {
      list1Pk: claimedTexts(claims.provider, claims.text),
      listSk: claims.text,
      summary: { mids: [...new Set(claims.claimants.map(({ mid }) => mid))] },
    }),
  ...claims,
});

/** The merchants that claim a text, from its entry in the index, as `toClaimsItem` writes it. */
export const merchantsOfClaims = (item: Item): readonly number[] =>
  (item['summary'] as { mids: readonly number[] } | undefined)?.mids ?? [];

/** The claims of a row; empty claims if there is none. */
export const claimsFrom = (item: Item | undefined, provider: string, claim: DescriptorClaim): DescriptorClaims => ({
  ...claim,
  provider,
  claimants: ClaimsRow.find(item)?.claimants ?? [],
  version: ClaimsRow.find(item)?.version ?? 0,
});

/** All claimants in a row, in no order; empty if there is no row. */
export const fromClaimsItem = (item: Item | undefined): FoundClaimant[] => {
  const claims = ClaimsRow.find(item);
  if (!claims) return [];
  const { rule, text, claimants } = claims;
  return claimants.map((claimant) => ({ ...claimant, rule, length: [...text].length }));
};

/** The claims updated for an item, which is a claimant exactly while it is ENROLLED. */
export const withClaimant = (
  claims: DescriptorClaims,
  { enrollmentId, sid, mid, rid }: Pick<Enrollment, 'enrollmentId' | 'sid' | 'mid' | 'rid'>,
  { number, descriptor, matchType, enrolledAt }: EnrollmentItem,
): DescriptorClaims => {
  const others = claims.claimants.filter(
    (claimant) => claimant.enrollmentId !== enrollmentId || claimant.itemNumber !== number,
  );
  const own = { sid, mid, rid, enrollmentId, itemNumber: number, descriptor, matchType };
  return { ...claims, claimants: enrolledAt === null ? others : [...others, { ...own, enrolledAt }] };
};
