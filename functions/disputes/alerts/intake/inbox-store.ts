import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { claimsOfDescriptor, claimsOfNetworkCase } from '#core/kernel/descriptor.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { log } from '#core/platform/log/log.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, tryTransact } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { fromClaimsItem } from '#disputes/enrollments/claims/claim-row.ts';
import { claimsOfItem, type Enrollment } from '#disputes/enrollments/enrollment.ts';
import { fromEnrollmentItem } from '#disputes/enrollments/enrollment-row.ts';
import { inboxMatchDue } from '#disputes/enrollments/inbox/inbox-match-due.ts';
import { endedInboxMatchWrite, fromInboxMatchItem } from '#disputes/enrollments/inbox/inbox-match-row.ts';
import { isEnrolledByNetwork, providerOf } from '#disputes/providers/providers.ts';
import { fromAlertItem, unmatchedEntity } from '../alert-row.ts';
import type { UnmatchedSummary } from '../schemas.ts';
import { assignMatched } from './assignment-store.ts';
import { claimKeys } from './intake-store.ts';
import { matchClaims } from './matching.ts';

/** The maximum age of an alert that a new enrollment takes out of the inbox: older ones are left to people. */
const oldest = 30 * milliseconds.day;
const pageSize = 100;
/** Some five thousand alerts per message; the rest gets a message of its own. */
const pagesPerMessage = 50;

/** Returns the claims of a request's enrolled items, as provider and text. */
const claimedBy = ({ items }: Enrollment): ReadonlySet<string> =>
  new Set(
    items
      .filter(({ enrolledAt }) => enrolledAt !== null)
      .flatMap((item) => claimsOfItem(item).map(({ rule, text }) => `${item.provider} ${rule} ${text}`)),
  );

const isClaimed = (
  { provider, descriptor, bin, caid, arn }: UnmatchedSummary,
  claimed: ReadonlySet<string>,
): boolean => {
  const claims = isEnrolledByNetwork(provider)
    ? claimsOfNetworkCase({ bin, caid, arn, descriptor })
    : claimsOfDescriptor(descriptor);
  return claims.some(({ rule, text }) => claimed.has(`${provider} ${rule} ${text}`));
};

/**
 * Matches the alerts of the inbox with what a request has enrolled, and assigns each to its owner by the rules of intake.
 * When repeated, it continues with those that are left. `cursor`: where the previous message stopped.
 */
export const matchInbox = async (enrollmentId: number, cursor?: string): Promise<void> => {
  const owed = fromInboxMatchItem(await getItem(keys.inboxMatch(enrollmentId)));
  const enrollment = fromEnrollmentItem(await getItem(keys.enrollment(enrollmentId)));
  if (!owed || !enrollment) return;
  const next = await matchPages(claimedBy(enrollment), cursor);
  if (next !== null) return sendOrThrow([inboxMatchDue.message({ enrollmentId, cursor: next })]);
  await tryTransact({ inboxMatch: endedInboxMatchWrite(owed) });
};

/** Returns where to continue; null at the end of the inbox. */
const matchPages = async (claimed: ReadonlySet<string>, begin: string | undefined): Promise<string | null> => {
  if (claimed.size === 0) return null;
  let cursor = begin;
  for (let page = 0; page < pagesPerMessage; page += 1) {
    const { list, next_cursor } = await readPage<UnmatchedSummary>({
      entity: unmatchedEntity,
      scopeIndex: 1,
      scope: 'all',
      order: 'ASC',
      size: pageSize,
      cursor,
      from: iso(nowMilliseconds() - oldest),
    });
    for (const summary of list) if (isClaimed(summary, claimed)) await rematch(summary.alert_id);
    if (next_cursor === null) return null;
    cursor = next_cursor;
  }
  return cursor ?? null;
};

/** Looks again for the owner of one alert, among all who have enrolled something that fits. */
const rematch = (alertId: number): Promise<void> =>
  retryOnConflict(async () => {
    const item = await getItem(keys.alert(alertId));
    const alert = item && fromAlertItem(item);
    if (!alert || alert.owner || alert.withdrawnAt !== null) return;
    const { providerAlert } = alert;
    const claims = await getItems(claimKeys(providerOf(providerAlert.provider), providerAlert));
    const match = matchClaims(claims.flatMap(fromClaimsItem));
    if (!('candidate' in match)) return;
    const isAssigned = await assignMatched(alert, match.candidate);
    if (isAssigned) log('info', 'alert_matched_later', { alertId, sid: match.candidate.sid });
  });
