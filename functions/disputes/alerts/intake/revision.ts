import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds } from '#core/kernel/clock.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { type Alert, alertActionOf, deadlineOf, firstStatus, isOpen } from '../alert.ts';

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

/** Whether this is the case from before its withdrawal, which overtook it: no provider reopens a case so soon. */
const isLate = ({ withdrawnAt, providerAlert }: Alert, sent: ProviderAlert, at: string): boolean =>
  withdrawnAt !== null &&
  providerAlert.providerDate === sent.providerDate &&
  Date.parse(at) - Date.parse(withdrawnAt) < repeatedMilliseconds;

/**
 * The alert after its provider sent the case again, changed or after a withdrawal; null if it says nothing new. The merchant's
 * answer stands while the case does. A case that was withdrawn and is open again counts as new: the earlier answer was to the withdrawn
 * case, so the alert awaits another and gets a new deadline. `at`: ISO.
 */
export const revise = (alert: Alert, sent: ProviderAlert, site: Site | null, at: string): Alert | null => {
  const isReopened = alert.withdrawnAt !== null;
  const isChanged = revisable.some((name) => alert.providerAlert[name] !== sent[name]);
  const isNews = isChanged || (isReopened && !isLate(alert, sent, at));
  if (!isNews) return null;
  const { asSent: _, ...providerAlert } = alert.providerAlert;
  const revised: Alert = {
    ...(isReopened ? clearAnswer(alert, site) : alert),
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

/** The alert without its answer and decisions, which remain in the history; its refunds remain known in the ledgers. */
const clearAnswer = (alert: Alert, site: Site | null): Alert => ({
  ...alert,
  status: firstStatus(alert.providerAlert),
  action: alertActionOf(alert.providerAlert, site),
  update: null,
  updatedAt: null,
  automatic: null,
  late: false,
});
