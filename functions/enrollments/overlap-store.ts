import { type Claim, claimsOfDescriptor } from '../core/descriptor.ts';
import { getItems, type Key, queryItems } from '../core/table.ts';
import { claimedTexts, claimKey, fromClaimsItem, merchantsOfClaims } from './claim-row.ts';
import { claimsOfItem, type EnrollmentItem } from './enrollment.ts';

/** What DynamoDB takes in one call. */
const keysPerCall = 100;
/** How many calls are under way at once. */
const mostCalls = 8;
/** How many texts that begin like one are looked through for another merchant's. */
const mostTexts = 1000;

/** Claims that are claimed by the text of a new item, spelled out: a text, and for a prefix also each of its own. */
const lookUps = (claim: Claim): Claim[] =>
  claim.rule === 'EXACT' || claim.rule === 'PREFIX'
    ? [{ rule: 'EXACT', text: claim.text }, ...claimsOfDescriptor(claim.text)]
    : [claim];

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

/** Which of the keys another merchant than `mid` has claimed. */
const claimedByOthers = async (wanted: readonly Key[], mid: number): Promise<Set<string>> => {
  const found = new Set<string>();
  const calls = Array.from({ length: Math.ceil(wanted.length / keysPerCall) }, (_, index) =>
    wanted.slice(index * keysPerCall, (index + 1) * keysPerCall),
  );
  for (let from = 0; from < calls.length; from += mostCalls) {
    const chunk = calls.slice(from, from + mostCalls);
    for (const [index, items] of (await Promise.all(chunk.map(getItems))).entries()) {
      items.forEach((item, place) => {
        const key = chunk[index]?.[place];
        if (key && fromClaimsItem(item).some((claimant) => claimant.mid !== mid)) found.add(nameOf(key));
      });
    }
  }
  return found;
};

/** Whether another merchant has claimed a text that begins with this one. */
const beginsOthers = async (provider: string, text: string, mid: number): Promise<boolean> => {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  for (let seen = 0; seen < mostTexts; ) {
    const { items, lastKey } = await queryItems({
      IndexName: 'list1',
      KeyConditionExpression: 'list1Pk = :texts AND begins_with(listSk, :text)',
      ExpressionAttributeValues: { ':texts': claimedTexts(provider, text), ':text': text },
      Limit: 200,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    });
    if (items.some((item) => merchantsOfClaims(item).some((other) => other !== mid))) return true;
    if (!lastKey) return false;
    seen += items.length;
    ExclusiveStartKey = lastKey;
  }
  return false;
};

/** Those of a merchant's new items that overlap with what another merchant has enrolled now, in their order. */
export const findOverlaps = async (mid: number, items: readonly EnrollmentItem[]): Promise<EnrollmentItem[]> => {
  const asked = items.map((item) => {
    const claims = claimsOfItem(item);
    return { item, claims, keys: claims.flatMap(lookUps).map((claim) => claimKey(item.provider, claim)) };
  });
  const wanted = new Map(asked.flatMap(({ keys }) => keys.map((key) => [nameOf(key), key] as const)));
  const claimed = await claimedByOthers([...wanted.values()], mid);
  const overlapping: EnrollmentItem[] = [];
  for (const { item, claims, keys } of asked) {
    const prefix = claims.find(({ rule }) => rule === 'PREFIX');
    const overlaps =
      keys.some((key) => claimed.has(nameOf(key))) ||
      (prefix !== undefined && (await beginsOthers(item.provider, prefix.text, mid)));
    if (overlaps) overlapping.push(item);
  }
  return overlapping;
};
