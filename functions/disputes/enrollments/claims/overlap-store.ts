import { claimsOfDescriptor, type DescriptorClaim } from '#core/kernel/descriptor.ts';
import { rowId } from '#core/platform/table/item.ts';
import { getItems, type Key, queryItems } from '#core/platform/table/table.ts';
import { claimsOfItem, type EnrollmentItem } from '../enrollment.ts';
import {
  claimedTexts,
  descriptorClaimKey,
  type FoundClaimant,
  fromClaimsItem,
  merchantsOfClaims,
} from './claim-row.ts';

/** DynamoDB's limit for one call. */
const keysPerCall = 100;
/** The number of parallel calls. */
const maxCalls = 8;
/** The number of texts with the same beginning that are searched for another merchant's. */
const maxTexts = 1000;

/** The claims to look up for a new item's text: the text and, for a prefix, each of its own prefixes. */
const lookUps = (claim: DescriptorClaim): DescriptorClaim[] =>
  claim.rule === 'EXACT' || claim.rule === 'PREFIX'
    ? [{ rule: 'EXACT', text: claim.text }, ...claimsOfDescriptor(claim.text)]
    : [claim];

/** Returns the claimants of the keys, by their names. */
const readClaimants = async (wanted: readonly Key[]): Promise<Map<string, FoundClaimant[]>> => {
  const found = new Map<string, FoundClaimant[]>();
  const calls = Array.from({ length: Math.ceil(wanted.length / keysPerCall) }, (_, index) =>
    wanted.slice(index * keysPerCall, (index + 1) * keysPerCall),
  );
  for (let from = 0; from < calls.length; from += maxCalls) {
    const chunk = calls.slice(from, from + maxCalls);
    for (const [index, items] of (await Promise.all(chunk.map(getItems))).entries()) {
      items.forEach((item, place) => {
        const key = chunk[index]?.[place];
        if (key) found.set(rowId(key), fromClaimsItem(item));
      });
    }
  }
  return found;
};

/** Another merchant that claims a text beginning with this one; undefined if none does. */
const whoseBegins = async (provider: string, text: string, mid: number): Promise<number | undefined> => {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  for (let seen = 0; seen < maxTexts; ) {
    const { items, lastKey } = await queryItems({
      IndexName: 'list1',
      KeyConditionExpression: 'list1Pk = :texts AND begins_with(listSk, :text)',
      ExpressionAttributeValues: { ':texts': claimedTexts(provider, text), ':text': text },
      Limit: 200,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    const other = items.flatMap(merchantsOfClaims).find((one) => one !== mid);
    if (other !== undefined || !lastKey) return other;
    seen += items.length;
    ExclusiveStartKey = lastKey;
  }
  return undefined;
};

/** An item that overlaps with what another merchant has enrolled now, and that merchant. */
export type Overlap = { item: EnrollmentItem; mid: number };

/** Those of a merchant's items that overlap with what another merchant has enrolled now, in their order. */
export const findOverlaps = async (mid: number, items: readonly EnrollmentItem[]): Promise<Overlap[]> =>
  (await listOverlaps({ mid, sid: 0 }, items)).overlaps;

/** The same, and the items that the site has already enrolled literally. */
export const listOverlaps = async (
  { mid, sid }: { mid: number; sid: number },
  items: readonly EnrollmentItem[],
): Promise<{ overlaps: Overlap[]; repeated: EnrollmentItem[] }> => {
  const asked = items.map((item) => {
    const claims = claimsOfItem(item);
    return {
      item,
      claims,
      own: claims.map((claim) => descriptorClaimKey(item.provider, claim)),
      keys: claims.flatMap(lookUps).map((claim) => descriptorClaimKey(item.provider, claim)),
    };
  });
  const wanted = new Map(asked.flatMap(({ keys, own }) => [...own, ...keys].map((key) => [rowId(key), key] as const)));
  const claimants = await readClaimants([...wanted.values()]);
  const overlaps: Overlap[] = [];
  const repeated: EnrollmentItem[] = [];
  for (const { item, claims, keys, own } of asked) {
    const prefix = claims.find(({ rule }) => rule === 'PREFIX');
    const other =
      keys.flatMap((key) => claimants.get(rowId(key)) ?? []).find((one) => one.mid !== mid)?.mid ??
      (prefix && (await whoseBegins(item.provider, prefix.text, mid)));
    if (other !== undefined) overlaps.push({ item, mid: other });
    if (own.some((key) => claimants.get(rowId(key))?.some((one) => one.sid === sid))) repeated.push(item);
  }
  return { overlaps, repeated };
};
