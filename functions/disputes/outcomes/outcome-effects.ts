import type { NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';

/** The provider's part of the merchant's status update: when it accepted the outcome, or why it has not. */
export type ProviderWord = { acceptedAt: string; why: null } | { acceptedAt: null; why: string };

/** The alarms about a final outcome; `late`: the alert's deadline is near and the provider does not have it. */
export type OutcomeAlarm = 'refused' | 'expired' | 'late';

/** The effects of an outcome's change, in the same transaction or right after it. */
export type Effects = {
  /** The status update that waited for it is sent with these words; null: it keeps waiting, or there is none. */
  status: ProviderWord | null;
  alarms: readonly OutcomeAlarm[];
};

const because = (words: string, error: string | null): string => (error ? `${words}: ${error}` : words);

const toWord = ({ state, provider, acceptedAt, error }: NetworkOutcome): ProviderWord => {
  if (acceptedAt !== null) return { acceptedAt, why: null };
  const why = {
    PENDING: because(`${provider} has not accepted this answer yet`, error),
    ACCEPTED: `${provider} has accepted this answer`,
    REFUSED: because(`${provider} has refused this answer`, error),
    EXPIRED: because(`${provider} did not accept this answer in time`, error),
    SUPERSEDED: because(`${provider} was not told`, error),
    MANUAL: `an operator reports this answer to ${provider}`,
  }[state];
  return { acceptedAt: null, why };
};

/** Returns the effects of an outcome's change: once per change, whatever caused it, as only one write makes the change. */
export const findEffects = (before: NetworkOutcome, after: NetworkOutcome): Effects => {
  const isNow = (state: NetworkOutcome['state']) => after.isFinal && before.state !== state && after.state === state;
  const isByHand = after.mark !== null && after.mark.at !== before.mark?.at;
  const isSafe = after.state === 'ACCEPTED' || after.state === 'SUPERSEDED';
  return {
    status: before.statusDueAt !== null && after.statusDueAt === null ? toWord(after) : null,
    alarms: [
      ...(isNow('REFUSED') && !isByHand ? (['refused'] as const) : []),
      ...(isNow('EXPIRED') ? (['expired'] as const) : []),
      ...(before.lateAt !== null && after.lateAt === null && !isSafe ? (['late'] as const) : []),
    ],
  };
};
