import * as v from 'valibot';
import { iso, milliseconds, nowIso } from '#core/kernel/clock.ts';
import type { Mail } from '#core/platform/mail/mail.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, type Item, updateItem } from '#core/platform/table/table.ts';

/** As long as the sending function can run; its queue hides a message for longer. */
const leaseMilliseconds = 30 * milliseconds.second;
/** Retention of a finished e-mail: it names people. */
const keptMilliseconds = 30 * milliseconds.day;

type LeaseResult = { kind: 'leased'; mail: Mail } | { kind: 'busy' } | { kind: 'nothing' };

const Lease = v.object({ attemptId: v.string(), until: v.string() });
const readLease = (item: Item | undefined): v.InferOutput<typeof Lease> | undefined => {
  const lease = item?.['lease'];
  return v.is(Lease, lease) ? lease : undefined;
};

const isLive = (item: Item, at: string): boolean => (readLease(item)?.until ?? '') > at;

/** Leases a pending e-mail. `attemptId` must be new: it distinguishes a lost answer from a conflict. */
export const leaseMail = async (id: string, attemptId: string): Promise<LeaseResult> => {
  const at = nowIso();
  try {
    const item = await updateItem({
      Key: keys.mail(id),
      UpdateExpression: 'SET lease = :lease',
      ConditionExpression: '#state = :pending AND (attribute_not_exists(lease) OR lease.#until <= :now)',
      ExpressionAttributeNames: { '#state': 'state', '#until': 'until' },
      ExpressionAttributeValues: {
        ':lease': { attemptId, until: iso(Date.parse(at) + leaseMilliseconds) },
        ':pending': 'PENDING',
        ':now': at,
      },
    });
    return { kind: 'leased', mail: fromMailItem(item) };
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    const { item } = error;
    if (item && readLease(item)?.attemptId === attemptId) return { kind: 'leased', mail: fromMailItem(item) };
    return item?.['state'] === 'PENDING' && isLive(item, at) ? { kind: 'busy' } : { kind: 'nothing' };
  }
};

/** Marks a leased e-mail as done: sent, or given up. It is then no longer due and expires after a while. */
export const finishMail = async (id: string, state: 'SENT' | 'FAILED'): Promise<void> => {
  const at = nowIso();
  await updateItem({
    Key: keys.mail(id),
    UpdateExpression: 'SET #state = :state, finishedAt = :at, #ttl = :ttl REMOVE lease, duePk, dueSk',
    ExpressionAttributeNames: { '#state': 'state', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':state': state,
      ':at': at,
      ':ttl': Math.ceil((Date.parse(at) + keptMilliseconds) / 1000),
    },
  });
};

/** Releases a leased e-mail, with those who have it by now, so that the next try need not wait for the lease's end. */
export const releaseMail = async (
  id: string,
  attemptId: string,
  { sentTo, shownOn }: { sentTo: readonly string[]; shownOn: readonly string[] },
): Promise<void> => {
  const release = {
    Key: keys.mail(id),
    UpdateExpression: 'SET sentTo = :sentTo, shownOn = :shownOn REMOVE lease',
    ConditionExpression: 'lease.attemptId = :attemptId',
    ExpressionAttributeValues: { ':attemptId': attemptId, ':sentTo': sentTo, ':shownOn': shownOn },
  };
  await updateItem(release).catch((error: unknown) => {
    if (!(error instanceof ConditionFailedError)) throw error;
  });
};
