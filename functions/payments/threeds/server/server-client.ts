import { setTimeout as wait } from 'node:timers/promises';
import { sealContext } from '#accounts/merchants/site/site.ts';
import { type KeyRing, open } from '#core/kernel/crypto.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { sandboxServer } from '../sandbox/sandbox-server-client.ts';
import type { Settings } from '../three-ds-settings.ts';
import { threeDSecureIoServer } from '../threedsecureio/threedsecureio-client.ts';
import type { ThreeDsServer, Unavailable } from './three-ds-server.ts';

/** `sid`: the site whose settings they are; `baseUrl`: of this service. */
export type ServerContext = { sid: number; ring: KeyRing; baseUrl: string };

type Named = Pick<Settings, 'provider' | 'serverUrl' | 'serverKey'>;

/**
 * The 3DS server of a site. One that is not available, because its key cannot be opened or the sandbox is no longer allowed, answers
 * nothing: the operator has to act, and to the payer it is as if the server were down.
 */
export const findServer = (settings: Named, context: ServerContext): ThreeDsServer => {
  try {
    return serverNamed(settings, context);
  } catch (error) {
    log('error', 'three_ds_server_unusable', { sid: context.sid, error: describeError(error) });
    return absent(settings.provider);
  }
};

const serverNamed = ({ provider, serverUrl, serverKey }: Named, context: ServerContext): ThreeDsServer => {
  if (provider === 'sandbox') {
    if (optional('ALLOW_SANDBOX') !== 'true') throw new Error('The sandbox is not allowed here: see ALLOW_SANDBOX');
    return sandboxServer(context);
  }
  if (serverUrl === null || serverKey === null) throw new Error('The site names no 3DS server');
  const apiKey = open(context.ring, sealContext.threeDs(context.sid, 'thirdparty_password'), serverKey.sealed);
  const allowLoopbackHttp = optional('ALLOW_LOOPBACK_HTTP') === 'true';
  return threeDSecureIoServer({ url: serverUrl, apiKey }, { allowLoopbackHttp });
};

const absent = (name: ThreeDsServer['name']): ThreeDsServer => {
  const answer = async (): Promise<Unavailable> => ({
    kind: 'unavailable',
    why: 'broken',
    detail: 'There is no 3DS server',
  });
  return { name, versions: answer, authenticate: answer, result: answer };
};

/** Waits a moment before a server is asked again. */
export const pauseFor = (milliseconds: number): Promise<unknown> => wait(milliseconds);
