import type { GrantedExemption } from '#payments/payments/three-ds.ts';

/** A merchant's wish about a challenge, in words, with EMVCo's `threeDSRequestorChallengeInd`. */
const wishes = { no_preference: '01', unwanted: '02', wanted: '03', mandated: '04' } as const;
export const challengeWishes = ['no_preference', 'wanted', 'mandated', 'unwanted'] as const;
export type ChallengeWish = (typeof challengeWishes)[number];

/** Exemptions from strong authentication that an AReq can ask for; `trust_prompt` and `data_only` are not exemptions, but are requested in the same field. */
const indicators = { tra: '05', data_only: '06', sca_done: '07', trusted: '08', trust_prompt: '09' } as const;
export const exemptions = ['none', 'tra', 'sca_done', 'trusted', 'trust_prompt', 'data_only'] as const;
export type Exemption = (typeof exemptions)[number];

type Asked = {
  challenge: ChallengeWish | undefined;
  exemption: Exemption;
  settings: { challengeInd: string; disablesChallenge: boolean };
};

/** An exemption takes precedence over a wish, a wish over the site's setting; a site that takes no challenges asks for none. */
export const challengeIndOf = ({ challenge, exemption, settings }: Asked): string => {
  if (exemption !== 'none') return indicators[exemption];
  if (settings.disablesChallenge) return '02';
  return challenge ? wishes[challenge] : settings.challengeInd;
};

const grantable: Readonly<Partial<Record<Exemption, GrantedExemption>>> = {
  tra: 'tra',
  sca_done: 'sca_done',
  trusted: 'trusted',
};

/** The exemption that an issuer of 2.3.1 applied: 05 transaction risk analysis, 08 the payer's list of trusted merchants. */
const applied: Readonly<Record<string, GrantedExemption>> = { '05': 'tra', '08': 'trusted' };

type Answered = { transStatus: string | null; challengeExemption: string | null };

/** The exemption that was requested and granted: the issuer acknowledges it (I), or names it. */
export const grantedExemption = (
  asked: Exemption,
  { transStatus, challengeExemption }: Answered,
): GrantedExemption | null => {
  const wanted = grantable[asked];
  if (!wanted) return null;
  return transStatus === 'I' || applied[challengeExemption ?? ''] === wanted ? wanted : null;
};
