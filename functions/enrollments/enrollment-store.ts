import { nowIso } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import { newTimedId } from '../core/ids.ts';
import { keys } from '../core/keys.ts';
import { ConditionFailed, getItem, getItems, putItem, transact, type Write } from '../core/table.ts';
import { nextNumber } from '../merchants/number-store.ts';
import type { Site } from '../merchants/site.ts';
import { fromSiteItem } from '../merchants/site-row.ts';
import { createDelivery, deliveryIdOf } from '../notifications/delivery.ts';
import { newDeliveryWrite } from '../notifications/delivery-row.ts';
import { type Claims, claimKey, claimsFrom, toClaimsItem, withClaimant } from './claim-row.ts';
import {
  claimsOfItem,
  type Enrollment,
  type EnrollmentItem,
  type ItemName,
  type ItemStatus,
  isNamed,
  newItems,
  type SentItem,
  withStatus,
} from './enrollment.ts';
import { fromEnrollmentItem, toEnrollmentItem } from './enrollment-row.ts';
import { statusUpdatePayload } from './payload.ts';

/** Keeps a new request, all its items PENDING. */
export const createEnrollment = async (
  site: Site,
  emailCcList: readonly string[],
  items: readonly SentItem[],
): Promise<Enrollment> => {
  const at = nowIso();
  const enrollment: Enrollment = {
    enrollmentId: await nextNumber('enrollment'),
    sid: site.sid,
    mid: site.mid,
    rid: site.rid,
    merchantName: site.merchantName,
    siteName: site.name,
    emailCcList,
    createdAt: at,
    updatedAt: at,
    items: newItems(items, at),
    version: 1,
  };
  // The number is this call's alone, so no condition is needed and a repeated write changes nothing.
  await putItem(toEnrollmentItem(enrollment));
  return enrollment;
};

const mostTries = 5;
/** Items changed by one transaction: with three claims each, it stays under 100 parts. */
const mostItems = 30;

/**
 * Sets the status of the named items, what they claim, and the notification of it, together. Items that have the status
 * already stay as they are, so a repeated call changes nothing. Throws enrollment_not_found, changed_meanwhile.
 */
export const setItemStatus = async (enrollmentId: number, name: ItemName, status: ItemStatus): Promise<void> => {
  let conflicts = 0;
  while (conflicts < mostTries) {
    const enrollment = fromEnrollmentItem(await getItem(keys.enrollment(enrollmentId)));
    const named = enrollment?.items.filter((item) => isNamed(item, name)) ?? [];
    if (!enrollment || named.length === 0)
      throw new Refusal('enrollment_not_found', 'id: no such request, or it has no item like this.');
    const changing = named.filter((item) => item.status !== status).slice(0, mostItems);
    if (changing.length === 0) return;
    try {
      await changeItems(enrollment, changing, status);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      conflicts += 1;
    }
  }
  throw new Refusal('changed_meanwhile', 'Send it again.');
};

/** One transaction: the request, the claims of the items, the notification. Throws ConditionFailed. */
const changeItems = async (
  before: Enrollment,
  changing: readonly EnrollmentItem[],
  status: ItemStatus,
): Promise<void> => {
  const at = nowIso();
  const changed = new Map(changing.map((item) => [item.number, withStatus(item, status, at)]));
  const after: Enrollment = {
    ...before,
    updatedAt: at,
    items: before.items.map((item) => changed.get(item.number) ?? item),
    version: before.version + 1,
  };
  // Only what is or becomes ENROLLED claims anything.
  const claiming = changing.filter(({ enrolledAt }) => enrolledAt !== null || status === 'ENROLLED');
  const { site, claims } = await readAround(before, claiming);
  const changedClaims = claims.map((row) =>
    [...changed.values()]
      .filter((item) => claimsOfItem(item).some(({ rule, text }) => rule === row.rule && text === row.text))
      .reduce((state, item) => withClaimant(state, after, item), row),
  );
  await transact([
    enrollmentWrite(before, after),
    ...changedClaims.map(claimsWrite),
    ...(site?.alert?.enrollment_url ? [notificationWrite(after, site, at)] : []),
  ]);
};

/** The site, and the claims that the items' change may touch, read at once. */
const readAround = async (enrollment: Enrollment, claiming: readonly EnrollmentItem[]) => {
  // One call names items of one provider only.
  const [first] = claiming;
  const provider = first?.provider ?? '';
  const wanted = new Map(
    claiming.flatMap(claimsOfItem).map((claim) => [JSON.stringify(claimKey(provider, claim)), claim] as const),
  );
  const claimed = [...wanted.values()];
  const [siteItem, ...claimItems] = await getItems([
    keys.site(enrollment.sid),
    ...claimed.map((claim) => claimKey(provider, claim)),
  ]);
  return {
    site: siteItem && fromSiteItem(siteItem),
    claims: claimed.map((claim, index) => claimsFrom(claimItems[index], provider, claim)),
  };
};

const enrollmentWrite = (before: Enrollment, after: Enrollment): Write => ({
  Put: {
    Item: toEnrollmentItem(after),
    ConditionExpression: '#enrollment.#version = :version',
    ExpressionAttributeNames: { '#enrollment': 'enrollment', '#version': 'version' },
    ExpressionAttributeValues: { ':version': before.version },
  },
});

const claimsWrite = (claims: Claims): Write => ({
  Put: {
    Item: toClaimsItem({ ...claims, version: claims.version + 1 }),
    ConditionExpression: claims.version === 0 ? 'attribute_not_exists(pk)' : '#version = :version',
    ...(claims.version > 0 && {
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':version': claims.version },
    }),
  },
});

const notificationWrite = (enrollment: Enrollment, { sid, mid, rid }: Site, at: string): Write =>
  newDeliveryWrite(
    createDelivery({
      id: deliveryIdOf(newTimedId()),
      kind: 'enrollment_update',
      sid,
      mid,
      rid,
      alertId: null,
      contentType: 'application/json',
      body: JSON.stringify(statusUpdatePayload(enrollment)),
      at,
    }),
  );
