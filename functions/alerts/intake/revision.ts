import { milliseconds } from '../../core/clock.ts';
import type { Site } from '../../merchants/site.ts';
import type { ProviderAlert } from '../../providers/providers.ts';
import { type Alert, actionOf, deadlineOf, firstStatus, isOpen } from '../alert.ts';

/** What a provider may change about a case. */
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

/** How long after a withdrawal an unchanged case may be a repeat that was still in transit. */
const repeatedMilliseconds = milliseconds.hour;

/** Whether this is the case as it was before its withdrawal, which overtook it: no provider reopens a case so soon. */
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
