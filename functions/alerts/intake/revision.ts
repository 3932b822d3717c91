import { milliseconds } from '../../core/clock.ts';
import type { Site } from '../../merchants/site.ts';
import type { ProviderAlert } from '../../providers/providers.ts';
import { type Alert, actionOf, deadlineOf, firstStatus, isOpen } from '../alert.ts';

/** What a provider may say of a case otherwise than before. */
const revisable = [
  'amount',
  'currency',
  'disputeAmount',
  'disputeCurrency',
  'conditionCode',
  'conditionReason',
] as const satisfies readonly (keyof ProviderAlert)[];

const moneyOf = ({ amount, currency, disputeAmount, disputeCurrency }: ProviderAlert): string =>
  disputeAmount === ''
    ? `${amount} ${currency}`
    : `${amount} ${currency}, disputed ${disputeAmount} ${disputeCurrency}`;

/** How long after a withdrawal the case as it was may be a repetition that was under way. */
const repeatedMilliseconds = milliseconds.hour;

/** Whether what was sent is the case as it was before it was taken back, overtaken by that: no provider says it is open again so soon. */
const isLate = ({ withdrawnAt, providerAlert }: Alert, sent: ProviderAlert, at: string): boolean =>
  withdrawnAt !== null &&
  providerAlert.providerDate === sent.providerDate &&
  Date.parse(at) - Date.parse(withdrawnAt) < repeatedMilliseconds;

/**
 * The alert after its provider sent the case again, with something else in it or after it had been taken back; null if it says
 * nothing new. What the merchant has answered stands while the case does. One that is open again is as new: it awaits another answer, as
 * the one before was to a case that was taken back, and has a deadline from then on. `at`: ISO.
 */
export const revise = (alert: Alert, sent: ProviderAlert, site: Site | null, at: string): Alert | null => {
  const isReopened = alert.withdrawnAt !== null;
  const isChanged = revisable.some((name) => alert.providerAlert[name] !== sent[name]);
  const isNews = isChanged || (isReopened && !isLate(alert, sent, at));
  if (!isNews) return null;
  const { asSent: _, ...providerAlert } = alert.providerAlert;
  const revised: Alert = {
    ...(isReopened ? unanswered(alert, site) : alert),
    withdrawnAt: null,
    providerAlert: {
      ...providerAlert,
      providerDate: sent.providerDate,
      ...(sent.asSent && { asSent: sent.asSent }),
      ...Object.fromEntries(revisable.map((name) => [name, sent[name]])),
    },
    revision: {
      event: isReopened ? 'reopened' : 'changed',
      at,
      before: isChanged ? moneyOf(alert.providerAlert) : null,
    },
    version: alert.version + 1,
  };
  if (!isReopened || !site || !isOpen(revised)) return revised;
  const deadlineAt = deadlineOf(alert.providerAlert.type, at, site);
  return { ...revised, deadlineAt, deadlinePassed: false, warnedAt: null };
};

/** Without what was answered and decided, of which the history tells; what was refunded for it stays known where money is. */
const unanswered = (alert: Alert, site: Site | null): Alert => ({
  ...alert,
  status: firstStatus(alert.providerAlert),
  action: actionOf(alert.providerAlert, site),
  update: null,
  updatedAt: null,
  automatic: null,
  late: false,
});
