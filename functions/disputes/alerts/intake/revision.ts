import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { comparePositions, type MessagePosition } from '#disputes/providers/message-position.ts';
import { positionOfAlert } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { type Alert, alertActionOf, firstStatus, isOpen, networkTimeOf, setDeadline } from '../alert.ts';

/** The fields of a case that a provider may change. */
const revisable = [
  'amount',
  'currency',
  'disputeAmount',
  'disputeCurrency',
  'conditionCode',
  'conditionReason',
] as const satisfies readonly (keyof ProviderAlert)[];

const sayAmounts = ({ amount, currency, disputeAmount, disputeCurrency }: ProviderAlert): string =>
  disputeAmount === ''
    ? `${amount} ${currency}`
    : `${amount} ${currency}, disputed ${disputeAmount} ${disputeCurrency}`;

/** The time after a change of state within which a message without an order may be a repeat from before it. */
const repeatedMilliseconds = milliseconds.hour;

const isSoonAfter = (time: string, at: string): boolean => Date.parse(at) - Date.parse(time) < repeatedMilliseconds;

/** As many earlier messages as are recognised; a provider changes a case a few times. */
const maxSuperseded = 40;

/** Identifies what a message says, apart from when it was sent. */
const digestSent = (providerAlert: ProviderAlert): string =>
  sha256(JSON.stringify(revisable.map((name) => providerAlert[name]))).slice(0, 16);

/** Where the alert stands among its provider's messages: at the last one that was applied. */
const appliedPosition = ({ providerAlert, withdrawnAt, withdrawal }: Alert): MessagePosition => {
  const known = positionOfAlert(providerAlert);
  if (withdrawnAt === null || !withdrawal) return known;
  return { sequence: withdrawal.sequence ?? known.sequence, date: withdrawal.date || known.date };
};

/**
 * Checks whether a withdrawal is of before the provider's last message. A provider that does not order its messages withdraws no case
 * within an hour of reopening it.
 */
export const isStaleWithdrawal = (alert: Alert, position: MessagePosition, at: string): boolean => {
  const compared = comparePositions(position, positionOfAlert(alert.providerAlert));
  if (compared !== 0) return compared < 0;
  return alert.revision?.event === 'reopened' && isSoonAfter(alert.revision.at, at);
};

const hasPosition = ({ sequence, date }: MessagePosition): boolean => sequence !== null || date !== '';

/** Returns the effect of a message on the alert; see revise. */
const judgeSent = (alert: Alert, sent: ProviderAlert, at: string): 'none' | 'confirms' | 'changes' | 'reopens' => {
  const [position, applied] = [positionOfAlert(sent), appliedPosition(alert)];
  const compared = comparePositions(position, applied);
  if (compared < 0) return 'none';
  const digest = digestSent(sent);
  const isSame = digest === digestSent(alert.providerAlert);
  if (compared === 0) {
    const isKnown = isSame || (alert.superseded ?? []).includes(digest);
    // The first message with a date or a count repeats none of those without.
    const isRepeat = isKnown && !(hasPosition(position) && !hasPosition(applied));
    if (isRepeat && (alert.withdrawnAt === null || isSoonAfter(alert.withdrawnAt, at))) return 'none';
  }
  if (alert.withdrawnAt !== null) return 'reopens';
  return isSame ? 'confirms' : 'changes';
};

/** The provider's case as the message has it. What orders the message is kept where the message does not say it. */
const revisedCase = ({ asSent: _, ...before }: ProviderAlert, sent: ProviderAlert): ProviderAlert => ({
  ...before,
  ...(sent.sequence !== undefined && { sequence: sent.sequence }),
  providerDate: sent.providerDate || before.providerDate,
  ...(sent.asSent && { asSent: sent.asSent }),
  ...Object.fromEntries(revisable.map((name) => [name, sent[name]])),
});

/**
 * The alert after its provider sent the case again; null if that says nothing new. Messages apply in the provider's order: by its count
 * of them, else by its date. Where it gives neither, or the same, a message that was applied before is a repeat and another one is new.
 *
 * The merchant's answer stands while the case does. A case that was withdrawn and is open again counts as new: the earlier answer was to
 * the withdrawn case, so the alert awaits another and gets a new deadline. `at`: ISO.
 */
export const revise = (alert: Alert, sent: ProviderAlert, site: Site | null, at: string): Alert | null => {
  const effect = judgeSent(alert, sent, at);
  if (effect === 'none') return null;
  const { providerAlert: before, version } = alert;
  const isChanged = digestSent(before) !== digestSent(sent);
  const stated: Alert = {
    ...alert,
    withdrawnAt: null,
    providerAlert: revisedCase(before, sent),
    ...(isChanged && { superseded: [...(alert.superseded ?? []), digestSent(before)].slice(-maxSuperseded) }),
    version: version + 1,
  };
  if (effect === 'confirms') return stated;
  const revision = {
    event: effect === 'reopens' ? ('reopened' as const) : ('changed' as const),
    at,
    before: isChanged ? sayAmounts(before) : null,
  };
  if (effect === 'changes') return { ...stated, revision };
  const reopened = { ...clearAnswer(stated, site), revision };
  if (!site || !isOpen(reopened)) return reopened;
  // The case counts as new from the time of the message that opened it again, if the network states that.
  const isNewer = sent.providerDate > before.providerDate && sent.providerDate <= at;
  const from = isNewer ? networkTimeOf({ providerAlert: { ...sent, age: '' }, receivedAt: at }) : at;
  const deadlineAt = setDeadline(before, from, site);
  return { ...reopened, deadlineAt, deadlinePassed: false, warnedAt: null };
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
