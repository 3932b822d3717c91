import { advanceDigest, type Digest } from '#accounts/auth/users/digest.ts';
import { changedDigestWrite, fromDigestItem } from '#accounts/auth/users/digest-row.ts';
import { listPeople } from '#accounts/auth/users/people-store.ts';
import { iso, latest, milliseconds, nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import { createMail } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, transact } from '#core/platform/table/table.ts';
import type { Alert, AlertStatus } from '../alert.ts';
import { alertFacets } from '../alert-facets.ts';
import { alertEntity, fromAlertItem } from '../alert-row.ts';
import type { AlertSummary } from '../schemas.ts';
import { type DigestContent, digestLetter } from './digest-letter.ts';

/** A schedule fires within the minute it names, so its message may come up to a minute early. */
const earlyMilliseconds = milliseconds.minute;
/** As many as one read of the table takes; a digest lists fewer. */
const maxRead = 100;
/** Decided alerts are looked for among those received in this time: none has a longer deadline. */
const decidedWithin = 5 * milliseconds.day;

/**
 * Sends a user's digest if it is due, once however often this is called, and returns when the next one is due (ISO); null if the user gets
 * none. The e-mail and the time of the next one are one transaction.
 */
export const keepDigest = (username: string, isFiring: boolean): Promise<string | null> =>
  retryOnConflict(async () => {
    const digest = fromDigestItem(await getItem(keys.digest(username)));
    if (!digest) return null;
    const at = nowIso();
    const isDue = Date.parse(at) >= Date.parse(digest.nextAt) - (isFiring ? earlyMilliseconds : 0);
    if (!isDue) return digest.nextAt;
    // From the time that it stood for, so that an early message does not find the same hour again.
    const after = advanceDigest(digest, latest(at, digest.nextAt));
    await transact({ digest: changedDigestWrite(digest, after), mail: await mailWrites(digest, at) });
    return after.nextAt;
  });

/** No e-mail for users who can no longer sign in, have no address, or have nothing to read. */
const mailWrites = async (digest: Digest, at: string) => {
  const { username, mid } = digest;
  const person = (await listPeople(mid)).find((one) => one.username === username);
  if (!person || person.email === '') return [];
  const content = await readContent(digest, at);
  if (content.open.length === 0 && content.decided.length === 0) return [];
  const id = `eml_digest_${sha256(`${username} ${digest.nextAt}`).slice(0, 32)}`;
  const mail = {
    id,
    kind: 'alert_digest',
    sid: 0,
    mid,
    to: [person.email],
    letter: digestLetter(content),
    at,
  } as const;
  return [newMailWrite(createMail(mail))];
};

/** Those that are due first, and of the same time those that came first. */
const byDeadline = (left: Alert, right: Alert): number => {
  const [first, second] = [left.deadlineAt ?? '9', right.deadlineAt ?? '9'];
  if (first === second) return left.alertId - right.alertId;
  return first < second ? -1 : 1;
};

const readContent = async ({ mid, since }: Digest, at: string): Promise<DigestContent> => {
  const [open, decided] = await Promise.all([
    readAlerts(mid, ['OPEN', 'WIP', 'OTHER'], {}),
    readAlerts(mid, ['RESOLVED', 'DECLINED'], { from: iso(Date.parse(at) - decidedWithin) }),
  ]);
  return {
    open: open.alerts.toSorted(byDeadline),
    hasMore: open.hasMore,
    decided: decided.alerts.filter(({ updatedAt, receivedAt }) => (updatedAt ?? receivedAt) >= since),
  };
};

/** The newest alerts of a merchant in some statuses; `hasMore`: there are older ones. */
const readAlerts = async (mid: number, statuses: readonly AlertStatus[], range: { from?: string }) => {
  const facets = alertFacets(statuses, undefined) ?? [];
  const request = { entity: alertEntity, scopeIndex: 2, scope: `M${mid}`, facets, order: 'DESC', ...range } as const;
  const list = await readFirst<AlertSummary>({ ...request, size: maxRead });
  const items = list.length === 0 ? [] : await getItems(list.map(({ alert_id }) => keys.alert(alert_id)));
  const alerts = items.flatMap((item): Alert[] => (item ? [fromAlertItem(item)] : []));
  return { alerts, hasMore: list.length === maxRead };
};
