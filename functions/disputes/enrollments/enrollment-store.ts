import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import type { KeyClaim } from '#core/platform/idempotency/idempotency-store.ts';
import { createMail, mailIdOf } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { changedRow } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { nextNumber } from '#core/platform/table/number-store.ts';
import { getItem, getItems, transact, tryTransact, type Write } from '#core/platform/table/table.ts';
import { createDelivery, deliveryIdOf } from '#messaging/webhooks/delivery/delivery.ts';
import { newDeliveryWrite } from '#messaging/webhooks/delivery/delivery-row.ts';
import {
  claimsFrom,
  type DescriptorClaims,
  descriptorClaimKey,
  toClaimsItem,
  withClaimant,
} from './claims/claim-row.ts';
import { findOverlaps, type Overlap } from './claims/overlap-store.ts';
import {
  claimsOfItem,
  type Enrollment,
  type EnrollmentItem,
  type ItemName,
  type ItemStatus,
  isNamed,
  withStatus,
} from './enrollment.ts';
import { enrollmentMail, statusUpdatePayload } from './enrollment-payload.ts';
import { itemsDue, providerNamed, withNext } from './enrollment-provider.ts';
import { fromEnrollmentItem, toEnrollmentItem } from './enrollment-row.ts';
import { inboxMatchWrite } from './inbox/inbox-match-row.ts';

/** `overlapping`: the numbers of the items that overlap with another merchant's enrollments and wait for the administrator. */
type NewItems = { items: readonly EnrollmentItem[]; overlapping: ReadonlySet<number> };

/** A new request, not stored yet, with its other items PENDING. `at`: ISO. */
const newEnrollment = (
  enrollmentId: number,
  site: Site,
  emailCcList: readonly string[],
  { items, overlapping }: NewItems,
  at: string,
): Enrollment => {
  const providedBy = providerNamed(optional('ENROLLMENT_PROVIDER'));
  return {
    enrollmentId,
    sid: site.sid,
    mid: site.mid,
    rid: site.rid,
    merchantName: site.merchantName,
    siteName: site.name,
    emailCcList,
    providedBy,
    createdAt: at,
    updatedAt: at,
    items: items.map((item) =>
      overlapping.has(item.number)
        ? withStatus(item, 'WAITING FOR ACTION', at)
        : withNext({ ...item, lastActivity: at }, providedBy, at),
    ),
    version: 1,
  };
};

/** Stores a new request, and returns its number. */
export const createEnrollment = async (
  site: Site,
  emailCcList: readonly string[],
  items: NewItems,
  claim: KeyClaim | undefined,
): Promise<number> => {
  const at = nowIso();
  const enrollment = newEnrollment(await nextNumber('enrollment'), site, emailCcList, items, at);
  // Only this call has the number, so the write needs no condition, and repeating it changes nothing.
  const put: Write = { Put: { Item: toEnrollmentItem(enrollment) } };
  const conflict = await tryTransact({ enrollment: put, key: claim?.write(enrollment.enrollmentId) });
  if (conflict) throw claim?.overtaken() ?? conflict;
  return enrollment.enrollmentId;
};

/** Throws enrollment_not_found if there is none, or the caller may not see it. */
export const enrollmentForCaller = async (enrollmentId: number, caller: Caller): Promise<Enrollment> => {
  const enrollment = await readEnrollment(enrollmentId);
  return visibleOrRefuse(enrollment, caller, 'enrollment_not_found', noSuchItem);
};

const noSuchItem = 'id: there is no such request, or it has no such item.';
const notFound = () => new Refusal('enrollment_not_found', noSuchItem);

const readEnrollment = async (enrollmentId: number): Promise<Enrollment | undefined> =>
  fromEnrollmentItem(await getItem(keys.enrollment(enrollmentId)));

/** Items changed by one transaction: with three claims each, it stays under 100 parts. */
const maxItems = 30;

/** Returns the changed items of a request as read; none: nothing is left to do. */
type Change = (enrollment: Enrollment, at: string) => readonly EnrollmentItem[];
/** Changes an item that should become ENROLLED but overlaps with another merchant's enrollments. */
type OnOverlap = (overlap: Overlap, at: string) => EnrollmentItem;

/**
 * Changes items of a request together with their claims and the notification; some at a time, each time from the
 * request's current state. Returns whether anything changed. Throws changed_meanwhile, and what `change` throws.
 */
const changeEnrollment = async (enrollmentId: number, change: Change, onOverlap: OnOverlap): Promise<boolean> => {
  for (let transactions = 0; ; transactions += 1) {
    const isDone = await retryOnConflict(() => changeSome(enrollmentId, change, onOverlap), {
      onExhausted: changedMeanwhile,
    });
    if (isDone) return transactions > 0;
  }
};

/** Changes the first of the items that are left to change; true once there are none. */
const changeSome = async (enrollmentId: number, change: Change, onOverlap: OnOverlap): Promise<boolean> => {
  const enrollment = await readEnrollment(enrollmentId);
  if (!enrollment) throw notFound();
  const at = nowIso();
  const changed = change(enrollment, at)
    // One transaction covers one provider.
    .filter((item, _, [first]) => item.provider === first?.provider)
    .slice(0, maxItems);
  if (changed.length === 0) return true;
  const becoming = changed.filter(({ number, status }) => {
    return status === 'ENROLLED' && enrollment.items[number]?.status !== 'ENROLLED';
  });
  const overlaps = new Map((await findOverlaps(enrollment.mid, becoming)).map((one) => [one.item.number, one]));
  const decided = changed.map((item) => {
    const overlap = overlaps.get(item.number);
    return overlap ? onOverlap(overlap, at) : item;
  });
  await changeItems(enrollment, decided, at);
  return false;
};

/**
 * Sets the status of the named items, in which they then stay. Items that have it already stay as they are, so a repeated
 * call changes nothing. `overlap`: ENROLLED although another merchant's enrollments overlap with it. Returns whether anything changed. Throws
 * enrollment_not_found, enrollment_overlap, changed_meanwhile.
 */
export const setItemStatus = (
  enrollmentId: number,
  name: ItemName,
  { status, overlap }: { status: ItemStatus; overlap: boolean },
): Promise<boolean> =>
  changeEnrollment(
    enrollmentId,
    ({ items }, at) => {
      const named = items.filter((item) => isNamed(item, name));
      if (named.length === 0) throw notFound();
      return named.filter((item) => item.status !== status).map((item) => withStatus(item, status, at));
    },
    ({ item, mid }) => {
      if (overlap) return item;
      throw new Refusal(
        'enrollment_overlap',
        `Merchant ${mid} has an overlapping enrollment; send overlap: true to enroll it anyway.`,
      );
    },
  );

/** Gives the due items of a request their next status. Repeated, it does nothing. */
export const advanceItems = async (enrollmentId: number): Promise<void> => {
  await changeEnrollment(
    enrollmentId,
    ({ items, providedBy }, at) =>
      itemsDue(items, Date.parse(at)).map((item) =>
        withNext(withStatus(item, item.next?.status ?? item.status, at), providedBy, at),
      ),
    // Another merchant was enrolled meanwhile: the administrator decides who owns it.
    ({ item }, at) => withStatus(item, 'WAITING FOR ACTION', at),
  );
};

/** One transaction: the request, the claims of the items, the notifications. Throws ConditionFailedError. */
const changeItems = async (before: Enrollment, items: readonly EnrollmentItem[], at: string): Promise<void> => {
  const changed = new Map(items.map((item) => [item.number, item]));
  const after: Enrollment = {
    ...before,
    updatedAt: at,
    items: before.items.map((item) => changed.get(item.number) ?? item),
    version: before.version + 1,
  };
  // Only items that are or become ENROLLED claim anything.
  const claiming = items.filter(
    ({ number, enrolledAt }) => enrolledAt !== null || before.items[number]?.enrolledAt !== null,
  );
  const { site, claims } = await readAround(before, claiming);
  const changedClaims = claims.map((row) =>
    items
      .filter((item) => claimsOfItem(item).some(({ rule, text }) => rule === row.rule && text === row.text))
      .reduce((state, item) => withClaimant(state, after, item), row),
  );
  // Alerts that it begins to claim may be in the inbox.
  const isTaking = items.some(
    ({ number, enrolledAt }) => enrolledAt !== null && before.items[number]?.enrolledAt === null,
  );
  await transact({
    enrollment: enrollmentWrite(before, after),
    claims: changedClaims.map(claimsWrite),
    inboxMatch: isTaking ? inboxMatchWrite(after, at) : undefined,
    notification: site?.alert?.enrollment_url ? notificationWrite(after, site, at) : undefined,
    mail: after.emailCcList.length > 0 ? mailWrite(after, at) : undefined,
  });
};

/** The site, and the claims that the change may touch, in one read. */
const readAround = async (enrollment: Enrollment, claiming: readonly EnrollmentItem[]) => {
  const [first] = claiming;
  const provider = first?.provider ?? '';
  const wanted = new Map(
    claiming
      .flatMap(claimsOfItem)
      .map((claim) => [JSON.stringify(descriptorClaimKey(provider, claim)), claim] as const),
  );
  const claimed = [...wanted.values()];
  const [siteItem, ...claimItems] = await getItems([
    keys.site(enrollment.sid),
    ...claimed.map((claim) => descriptorClaimKey(provider, claim)),
  ]);
  return {
    site: siteItem && fromSiteItem(siteItem),
    claims: claimed.map((claim, index) => claimsFrom(claimItems[index], provider, claim)),
  };
};

const enrollmentWrite = (before: Enrollment, after: Enrollment): Write =>
  changedRow(toEnrollmentItem(after), before.version, 'enrollment');

const claimsWrite = (claims: DescriptorClaims): Write => ({
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

const mailWrite = (enrollment: Enrollment, at: string): Write =>
  newMailWrite(
    createMail({
      id: mailIdOf(newTimedId()),
      kind: 'enrollment_update',
      sid: enrollment.sid,
      mid: enrollment.mid,
      to: enrollment.emailCcList,
      letter: enrollmentMail(enrollment),
      at,
    }),
  );
