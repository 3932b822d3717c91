import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Passkey, PasskeyChallenge } from './passkey.ts';

export type { AuthenticationResponseJSON, RegistrationResponseJSON };

const expectedBy = ({ challenge, origin, rpId }: PasskeyChallenge) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: rpId,
});

/** The library throws an Error for every response that is not valid. */
const orUndefined = async <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

/** The credential that a device has made for a challenge; undefined if the response is not valid. */
export const registeredCredential = async (
  challenge: PasskeyChallenge,
  response: RegistrationResponseJSON,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter'> | undefined> => {
  const options = { response, ...expectedBy(challenge), requireUserVerification: true };
  const verified = await orUndefined(verifyRegistrationResponse(options));
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
};

/** The passkey's counter after it has signed a challenge; undefined if the response is not valid. */
export const counterAfterUse = async (
  challenge: PasskeyChallenge,
  { id, publicKey, counter }: Passkey,
  response: AuthenticationResponseJSON,
): Promise<number | undefined> => {
  const verified = await orUndefined(
    verifyAuthenticationResponse({
      response,
      ...expectedBy(challenge),
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
      requireUserVerification: challenge.signIn === null,
    }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
};
