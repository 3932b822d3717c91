import type { Scheme } from '#core/kernel/card/schemes.ts';

/**
 * The sandbox's directory server and issuers treat a card by the last four digits of its number, as the sandbox of 3dsecure.io reads them
 * (https://docs.3dsecure.io, "Sandbox Testcases"), so that one suite runs against both.
 */

type IssuerAnswer = 'Y' | 'N' | 'A' | 'R' | 'I' | 'U' | 'C' | 'silent';
export type ChallengeKind = 'passes' | 'fails' | 'manual';

export type SandboxCard = {
  versions: readonly string[];
  /** True if the issuer has a 3DS method, and whether that ever returns. */
  method: 'answers' | 'none' | 'silent';
  answer: IssuerAnswer;
  challenge: ChallengeKind | null;
};

const versionsByDigit = [['2.1.0', '2.2.0', '2.3.1'], ['2.1.0'], ['2.2.0'], ['2.3.1']] as const;
const methodByDigit = ['answers', 'none', 'silent'] as const;
const answerByDigit = ['Y', 'N', 'A', 'R', 'I', 'U', 'silent', 'C'] as const;
const challengeByDigit = ['passes', 'fails', 'manual'] as const;

/** Any other number: every version, a method that returns, and yes. */
const usual: SandboxCard = { versions: versionsByDigit[0], method: 'answers', answer: 'Y', challenge: null };

const coded = /([0-3])([0-2])(?:([0-6])3|7([0-2]))$/;

/** Undefined: no issuer of this card takes part. */
export const sandboxCardOf = (number: string): SandboxCard | undefined => {
  if (number.startsWith('400010') && number.endsWith('1111')) return undefined;
  const [matched, version, method, answer, challenge] = coded.exec(number) ?? [];
  if (matched === undefined) return usual;
  return {
    versions: versionsByDigit[Number(version)] ?? usual.versions,
    method: methodByDigit[Number(method)] ?? 'answers',
    answer: challenge === undefined ? (answerByDigit[Number(answer)] ?? 'Y') : 'C',
    challenge: challenge === undefined ? null : (challengeByDigit[Number(challenge)] ?? 'manual'),
  };
};

/** Electronic commerce indicators as the schemes give them; Mastercard's tell data sharing (04) from an exemption (06). */
export const sandboxEciOf = (scheme: Scheme, transStatus: string, isDataOnly: boolean): string => {
  if (scheme !== 'MASTERCARD') return transStatus === 'Y' ? '05' : transStatus === 'A' ? '06' : '07';
  if (transStatus === 'I') return isDataOnly ? '04' : '06';
  return transStatus === 'Y' ? '02' : transStatus === 'A' ? '01' : '00';
};
