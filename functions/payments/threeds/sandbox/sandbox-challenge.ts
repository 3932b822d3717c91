import type { Scheme } from '#core/kernel/card/schemes.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { toBase64Url } from '../server/base64url.ts';
import type { ChallengeKind } from './sandbox-cards.ts';

/** A challenge at the sandbox's issuer. */
export type SandboxChallenge = {
  serverTransId: string;
  acsTransId: string;
  dsTransId: string;
  kind: ChallengeKind;
  scheme: Scheme;
  version: string;
  notificationUrl: string;
  /** The content of its page. */
  merchantName: string;
  minor: string;
  /** Three digits of ISO 4217. */
  currencyNumber: string;
  cardEnd: string;
  /** The number of wrong codes that were tried. */
  wrongCodes: number;
  /** Its end, and the time from which the 3DS server knows it (ISO); null while it goes on. */
  end: { transStatus: 'Y' | 'N'; challengeCancel: string | null; knownAt: string } | null;
  createdAt: string;
  revision: number;
};

const rightCode = '123456';
export const maxCodes = 3;
/** The time for which a late issuer keeps the 3DS server waiting. */
const lateMilliseconds = 5 * milliseconds.second;

export const challengeActions = ['confirm', 'late', 'cancel', 'never'] as const;
export type ChallengeAction = (typeof challengeActions)[number];

const ending = (
  challenge: SandboxChallenge,
  transStatus: 'Y' | 'N',
  now: string,
  { challengeCancel = null, delay = 0 }: { challengeCancel?: string | null; delay?: number } = {},
): SandboxChallenge => ({
  ...challenge,
  end: { transStatus, challengeCancel, knownAt: iso(Date.parse(now) + delay) },
});

/** The challenge once its page was opened: some end by themselves. `now`: ISO. */
export const openPage = (challenge: SandboxChallenge, now: string): SandboxChallenge => {
  if (challenge.end || challenge.kind === 'manual') return challenge;
  return ending(challenge, challenge.kind === 'passes' ? 'Y' : 'N', now);
};

/** The challenge after the payer did something; what has ended stays as it ended. */
export const actOnChallenge = (
  challenge: SandboxChallenge,
  { action, code }: { action: ChallengeAction; code: string },
  now: string,
): SandboxChallenge => {
  if (challenge.end || challenge.kind !== 'manual' || action === 'never') return challenge;
  if (action === 'cancel') return ending(challenge, 'N', now, { challengeCancel: '01' });
  const delay = action === 'late' ? lateMilliseconds : 0;
  if (code.trim() === rightCode || action === 'late') return ending(challenge, 'Y', now, { delay });
  const wrongCodes = challenge.wrongCodes + 1;
  const next = { ...challenge, wrongCodes };
  return wrongCodes < maxCodes ? next : ending(next, 'N', now);
};

/** Returns what the issuer has the browser post when it is done. Some issuers pad, some do not: both must be understood. */
export const makeCres = ({ serverTransId, acsTransId, version, end }: SandboxChallenge): string => {
  const cres = toBase64Url({
    threeDSServerTransID: serverTransId,
    acsTransID: acsTransId,
    challengeCompletionInd: 'Y',
    messageType: 'CRes',
    messageVersion: version,
    transStatus: end?.transStatus ?? 'N',
  });
  return version === '2.2.0' ? cres.padEnd(Math.ceil(cres.length / 4) * 4, '=') : cres;
};
