import { nowIso } from '#core/kernel/clock.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { fromBase64Url, isUuid } from '../server/base64url.ts';
import { actOnChallenge, type ChallengeAction, openPage, type SandboxChallenge } from './sandbox-challenge.ts';
import { changeSandboxChallenge, getSandboxChallenge } from './sandbox-challenge-store.ts';

const noPage = (): Refusal => new Refusal('page_not_found', 'This issuer knows no such challenge.');

/** Throws page_not_found if the sandbox is not available. */
export const checkSandbox = (): void => {
  if (optional('ALLOW_SANDBOX') !== 'true') throw noPage();
};

/** The challenge that a CReq is about. Throws page_not_found. */
const readChallenge = async (creq: string): Promise<SandboxChallenge> => {
  checkSandbox();
  const { threeDSServerTransID: transId, acsTransID: acsTransId } = fromBase64Url(creq) ?? {};
  const challenge = isUuid(transId) ? await getSandboxChallenge(transId) : undefined;
  if (!challenge || challenge.acsTransId !== acsTransId) throw noPage();
  return challenge;
};

/** The payer's browser comes to the issuer. */
export const openChallenge = async (creq: string): Promise<SandboxChallenge> =>
  changeSandboxChallenge(await readChallenge(creq), (challenge) => openPage(challenge, nowIso()));

/** The payer does something there. */
export const answerSandboxChallenge = async (
  creq: string,
  answer: { action: ChallengeAction; code: string },
): Promise<SandboxChallenge> =>
  changeSandboxChallenge(await readChallenge(creq), (challenge) => actOnChallenge(challenge, answer, nowIso()));
