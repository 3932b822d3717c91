import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { iso, nowMilliseconds } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { createMail, mailIdOf } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact, type Write } from '#core/platform/table/table.ts';
import type { Alert } from '../alert.ts';
import { getAlert } from '../alert-store.ts';
import { type ChangeSource, entryOfChange } from '../history/history.ts';
import { changedAlertWrites } from '../history/history-row.ts';
import { deadlineMail } from '../outbox/alert-mail.ts';
import { alertNotificationWrite } from '../outbox/alert-notification-row.ts';
import { deadlineForm } from '../outbox/alert-payload.ts';
import { type DeadlinePlan, deadlinePlan, markDeadlinePassed, markDeadlineWarned } from './deadline.ts';

const source: ChangeSource = { by: 'deadline', via: 'deadline' };

/** The required state of an alert's schedule: its settings; `none`: delete it; `untouched`: there never was one. */
export type ScheduleWanted = NonNullable<DeadlinePlan['next']> | 'none' | 'untouched';

/**
 * Does what an alert's deadline asks for now, each step once however often this is called, and returns which schedule the
 * alert should have from now on.
 */
export const keepDeadline = (alertId: number, isFiring: boolean): Promise<ScheduleWanted> =>
  retryOnConflict(async () => {
    const alert = await getAlert(alertId);
    if (!alert || alert.deadlineAt === null) return 'untouched';
    const now = nowMilliseconds();
    const plan = deadlinePlan(alert, now, isFiring);
    if (plan.pass) await transact({ passing: await passWrites(alert, iso(now)) });
    if (plan.warn) await transact({ warning: await warnWrites(alert, iso(now)) });
    return plan.next ?? 'none';
  });

const readDeadlineSite = async ({ owner }: Alert): Promise<Site | undefined> => {
  const item = owner ? await getItem(keys.site(owner.sid)) : undefined;
  return item && fromSiteItem(item);
};

const passWrites = async (alert: Alert, at: string): Promise<Write[]> => {
  const after = markDeadlinePassed(alert);
  return [
    ...changedAlertWrites(after, entryOfChange(alert, after, 'deadline passed', at, source)),
    ...mailWrites(alert, await readDeadlineSite(alert), 'pass', at),
  ];
};

/** Recipients of e-mails about alerts get those about deadlines too. */
const mailWrites = (alert: Alert, site: Site | undefined, phase: 'warn' | 'pass', at: string): Write[] => {
  const { alert_triggeremail: isWanted = false, alert_email: to = [] } = site?.alert ?? {};
  if (!site || !isWanted || to.length === 0) return [];
  const letter = deadlineMail(alert, phase);
  const mail = { id: mailIdOf(newTimedId()), kind: 'alert_deadline', sid: site.sid, mid: site.mid } as const;
  return [newMailWrite(createMail({ ...mail, to, letter, at }))];
};

/** Marks the warning as done even if the site has not opted in: a later opt-in applies to later alerts. */
const warnWrites = async (alert: Alert, at: string): Promise<Write[]> => {
  const site = await readDeadlineSite(alert);
  const mails = mailWrites(alert, site, 'warn', at);
  const after = markDeadlineWarned(alert, at);
  const isWanted = site?.alert?.deadline_warning === true;
  const [alertWrite, historyWrite] = changedAlertWrites(
    after,
    entryOfChange(alert, after, 'deadline warning', at, source),
  );
  return isWanted
    ? [
        alertWrite,
        historyWrite,
        alertNotificationWrite({
          kind: 'alert_deadline',
          alert: after,
          number: newTimedId(),
          body: deadlineForm(alert),
          at,
        }),
        ...mails,
      ]
    : [alertWrite, ...(mails.length > 0 ? [historyWrite, ...mails] : [])];
};
