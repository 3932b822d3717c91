import { sha256 } from '#core/kernel/crypto.ts';
import { redactText } from '#core/platform/log/redaction.ts';
import type { SigningProvider } from '#disputes/providers/providers.ts';

export const quarantineStates = ['OPEN', 'RESUBMITTED', 'DISMISSED'] as const;
type QuarantineState = (typeof quarantineStates)[number];

/** A message that a provider signed but that cannot become an alert as it is: it waits for a person. */
export type Quarantined = {
  id: string;
  provider: SigningProvider;
  state: QuarantineState;
  /** The message, masked: card numbers by their first six and last four digits. */
  text: string;
  /** Why it was refused. */
  problems: string;
  /** ISO; when it first came, when it last came, and how often. */
  receivedAt: string;
  lastAt: string;
  times: number;
  /** The person who settled it, the time, and the reason if it was dismissed. */
  settledBy: string | null;
  settledAt: string | null;
  reason: string | null;
  /** The alert it became. */
  alertId: number | null;
  version: number;
};

const longestText = 32_768;

/** The same message sent again is the same entry: providers resend what was refused. */
export const newQuarantined = (
  provider: SigningProvider,
  rawBody: string,
  problems: string,
  at: string,
): Quarantined => {
  const text = redactText(rawBody).slice(0, longestText);
  return {
    id: sha256(`${provider}\n${text}`).slice(0, 32),
    provider,
    state: 'OPEN',
    text,
    problems,
    receivedAt: at,
    lastAt: at,
    times: 1,
    settledBy: null,
    settledAt: null,
    reason: null,
    alertId: null,
    version: 1,
  };
};

/** Returns an entry whose message was repeated. A settled entry stays settled: a person has checked it. */
export const cameAgain = (before: Quarantined, problems: string, at: string): Quarantined => ({
  ...before,
  problems,
  lastAt: at,
  times: before.times + 1,
  version: before.version + 1,
});
