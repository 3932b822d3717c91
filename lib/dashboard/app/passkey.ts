import type { beginPasskeySetupOperation } from '#accounts/auth/api/begin-passkey-setup/operation.ts';
import type { createSessionOperation } from '#accounts/auth/api/create-session/operation.ts';
import type { Reply } from '#core/platform/operation/operation.ts';
import { translate } from '../language/translate.ts';
import { enterAs } from './session.ts';
import { post, ServiceError } from './transport.ts';

type Begun = Reply<typeof beginPasskeySetupOperation>;

/** Why there are no passkeys here, as a sentence; undefined if there are. */
export const passkeyObstacle = (): string | undefined => {
  if (/^[\d.]+$|^\[/.test(location.hostname)) {
    const obstacle = translate('Browsers make no passkeys for IP addresses.');
    if (!['127.0.0.1', '[::1]'].includes(location.hostname)) return obstacle;
    const page = `http://localhost:${location.port}/dashboard`;
    return `${obstacle} ${translate('Open {page}.', { page })}`;
  }
  return typeof PublicKeyCredential === 'undefined' ? translate('This browser has no passkeys.') : undefined;
};

/** Says in the page's words what browsers throw when nothing was chosen. */
const throwInWords = (error: unknown): never => {
  if (error instanceof ServiceError) throw error;
  const isKnown = error instanceof Error && error.name === 'InvalidStateError';
  throw new ServiceError(0, {
    msg: translate('No passkey was used'),
    details: isKnown
      ? translate('This device already has a passkey for you.')
      : translate('You cancelled, or this device has none for this address.'),
  });
};

/** Signs in with a passkey: in place of the password, or as the second factor of a sign-in that waits for one. Throws ServiceError. */
export const signInWithPasskey = async (challenge?: string): Promise<void> => {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const body = challenge === undefined ? {} : { challenge };
  const { id, options } = (await post('/api/v3/session/passkey/begin', { body })) as Begun;
  // The service answers with what WebAuthn defines.
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const credential = await startAuthentication({ optionsJSON }).catch(throwInWords);
  const answer = await post('/api/v3/session/passkey', { body: { id, credential } });
  enterAs(answer as Reply<typeof createSessionOperation>);
};

/** Has the device make a passkey. Throws ServiceError. */
export const makePasskey = async ({ options }: Begun) => {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'];
  return startRegistration({ optionsJSON }).catch(throwInWords);
};
