import { randomUUID } from 'node:crypto';
import type { Card } from '#core/kernel/card/card.ts';
import { nowIso } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { sandboxValueOf } from '#payments/processors/sandbox/sandbox-authentication.ts';
import type { Areq, Ares, Rreq, ThreeDsServer, Unavailable, Versions } from '../server/three-ds-server.ts';
import { pickVersion } from '../server/versions.ts';
import { type SandboxCard, sandboxCardOf, sandboxEciOf } from './sandbox-cards.ts';
import type { SandboxChallenge } from './sandbox-challenge.ts';
import { addSandboxChallenge, getSandboxChallenge } from './sandbox-challenge-store.ts';

/** `baseUrl`: of this service, whose pages `/sandbox/acs/…` are the issuers'. */
export type SandboxServerContext = { ring: KeyRing; baseUrl: string };

/** A 3DS server, a directory server and all issuers in one, which make no calls. See docs/sandbox.md. */
export const sandboxServer = ({ ring, baseUrl }: SandboxServerContext): ThreeDsServer => ({
  name: 'sandbox',
  versions: async (card, highest) =>
    cardVersions(
      card.reveal(({ number }) => sandboxCardOf(number)),
      highest,
      baseUrl,
    ),
  authenticate: ({ card, areq }) => answerOrUnavailable(() => authenticate(card, areq, { ring, baseUrl })),
  result: (serverTransId) => answerOrUnavailable(() => readResult(serverTransId, ring)),
});

/** Its own table may fail too. */
const answerOrUnavailable = async <T>(work: () => Promise<T>): Promise<T | Unavailable> => {
  try {
    return await work();
  } catch (error) {
    log('error', 'sandbox_failed', { error: describeError(error) });
    return { kind: 'unavailable', why: 'broken', detail: 'The sandbox could not reach its table' };
  }
};

const cardVersions = (card: SandboxCard | undefined, highest: string, baseUrl: string): Versions => {
  if (!card) return { kind: 'not_enrolled' };
  const method = card.method === 'silent' ? '/sandbox/acs/method?silent=1' : '/sandbox/acs/method';
  return {
    kind: 'enrolled',
    serverTransId: randomUUID(),
    version: pickVersion(card.versions, highest),
    methodUrl: card.method === 'none' ? null : `${baseUrl}${method}`,
  };
};

const areqText = (areq: Areq, name: string): string => {
  const value = areq[name];
  return typeof value === 'string' ? value : '';
};

const dataOnly = '06';
const callYourBank = 'Please call the number on the back of your card.';

const authenticate = async (
  card: Card,
  areq: Areq,
  { ring, baseUrl }: SandboxServerContext,
): Promise<{ kind: 'ares'; ares: Ares } | Unavailable> => {
  const [known, cardEnd] = card.reveal(({ number }) => [sandboxCardOf(number), number.slice(-4)] as const);
  const version = areqText(areq, 'messageVersion');
  if (!known?.versions.includes(version)) {
    return { kind: 'unavailable', why: 'refused', detail: `The issuer does not speak ${version}` };
  }
  if (known.answer === 'silent') return { kind: 'unavailable', why: 'timeout', detail: 'The issuer does not answer' };
  const [acsTransId, dsTransId] = [randomUUID(), randomUUID()];
  const { answer: transStatus, challenge } = known;
  const { scheme } = card;
  if (challenge)
    await addSandboxChallenge(newChallenge(areq, { kind: challenge, acsTransId, dsTransId, scheme, cardEnd }));
  const isDataOnly = JSON.stringify(areq['threeDSRequestorChallengeInd'] ?? '').includes(dataOnly);
  const isProven = ['Y', 'A', 'I'].includes(transStatus);
  return {
    kind: 'ares',
    ares: {
      transStatus,
      acsTransId,
      dsTransId,
      messageVersion: version,
      transStatusReason: ['N', 'R', 'U'].includes(transStatus) ? '01' : null,
      eci: challenge ? null : sandboxEciOf(scheme, transStatus, isDataOnly),
      authenticationValue: isProven ? sandboxValueOf(ring, { dsTransId, transStatus }) : null,
      acsUrl: challenge ? `${baseUrl}/sandbox/acs/challenge` : null,
      authenticationType: challenge ? '02' : null,
      cardholderInfo: transStatus === 'R' ? callYourBank : null,
      challengeExemption: null,
    },
  };
};

type Begun = Pick<SandboxChallenge, 'kind' | 'acsTransId' | 'dsTransId' | 'scheme' | 'cardEnd'>;

const newChallenge = (areq: Areq, begun: Begun): SandboxChallenge => {
  return {
    ...begun,
    serverTransId: areqText(areq, 'threeDSServerTransID'),
    version: areqText(areq, 'messageVersion'),
    notificationUrl: areqText(areq, 'notificationURL'),
    merchantName: areqText(areq, 'merchantName'),
    minor: areqText(areq, 'purchaseAmount') || '0',
    currencyNumber: areqText(areq, 'purchaseCurrency'),
    wrongCodes: 0,
    end: null,
    createdAt: nowIso(),
    revision: 1,
  };
};

const readResult = async (
  serverTransId: string,
  ring: KeyRing,
): Promise<{ kind: 'rreq'; rreq: Rreq } | { kind: 'pending' } | { kind: 'unknown' }> => {
  const challenge = await getSandboxChallenge(serverTransId);
  if (!challenge) return { kind: 'unknown' };
  const { end, dsTransId, acsTransId, version, scheme } = challenge;
  if (!end || end.knownAt > nowIso()) return { kind: 'pending' };
  const { transStatus, challengeCancel } = end;
  return {
    kind: 'rreq',
    rreq: {
      transStatus,
      challengeCancel,
      dsTransId,
      acsTransId,
      messageVersion: version,
      transStatusReason: transStatus === 'N' ? '01' : null,
      eci: sandboxEciOf(scheme, transStatus, false),
      authenticationValue: transStatus === 'Y' ? sandboxValueOf(ring, { dsTransId, transStatus }) : null,
      authenticationType: '02',
      cardholderInfo: null,
    },
  };
};
