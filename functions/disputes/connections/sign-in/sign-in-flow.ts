import { log } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import type { ConnectionKind } from '#payments/processors/ports/processors.ts';
import { signInLoaders } from '#payments/processors/registered/registered-sign-ins-client.ts';
import type { WantedConnection } from '../connection.ts';
import { findProcessorApp } from './processor-apps-store.ts';
import { isSignInState, newSignInState } from './sign-in-state.ts';

/** A connection as sent. `sign_in`: the processor's answer to a sign-in, in place of credentials. */
export type SentConnection = WantedConnection & { sign_in?: { state: string; code: string } | undefined };

const kinds = Object.keys(signInLoaders) as ConnectionKind[];

/** The pages where a person can connect an account of a merchant by signing in; none for programs. */
export const offeredSignIns = async (
  mid: number,
  { subject, key, isProgram }: Caller,
  baseUrl: string,
): Promise<{ kind: ConnectionKind; url: string }[]> => {
  if (key || isProgram) return [];
  const offered = await Promise.all(
    kinds.map(async (kind) => {
      const load = signInLoaders[kind];
      const app = load && (await findProcessorApp(kind));
      if (!load || !app) return [];
      const [{ page }, ring] = await Promise.all([load(), keyRing('encryption')]);
      const state = newSignInState(ring, { mid, subject, kind });
      return [{ kind, url: page(app, { state, returnTo: `${baseUrl}/dashboard` }) }];
    }),
  );
  return offered.flat();
};

/** Exchanges the sign-ins among the sent connections for credentials. Throws request_invalid, naming each that cannot be used. */
export const withSignIns = async (
  mid: number,
  caller: Caller,
  sent: readonly SentConnection[],
): Promise<WantedConnection[]> => {
  const wanted: WantedConnection[] = [];
  const problems: string[] = [];
  for (const [index, connection] of sent.entries()) {
    const exchanged = await withKeys(mid, caller, connection);
    if (typeof exchanged === 'string') problems.push(`connections.${index}.sign_in: ${exchanged}`);
    else wanted.push(exchanged);
  }
  if (problems.length > 0) throw new Refusal('request_invalid', problems.join('; '));
  return wanted;
};

/** Returns the connection with its credentials, or what is wrong with the sign-in. */
const withKeys = async (
  mid: number,
  { subject }: Caller,
  { sign_in: signIn, ...connection }: SentConnection,
): Promise<WantedConnection | string> => {
  if (!signIn) return connection;
  if (connection.credentials) return 'must not come with credentials';
  const { kind } = connection;
  const load = signInLoaders[kind];
  const app = load && (await findProcessorApp(kind));
  if (!load || !app) return 'is not offered for this processor';
  const isOwn = isSignInState(await keyRing('encryption'), { mid, subject, kind }, signIn.state);
  if (!isOwn) return 'has expired, or another person began it; sign in again';
  const { exchange } = await load();
  const result = await exchange(app, signIn.code);
  if ('problem' in result) {
    log('warn', 'sign_in_not_confirmed', { mid, kind, problem: result.problem, detail: result.detail });
    return 'was not confirmed by the processor; sign in again';
  }
  return { ...connection, credentials: result.keys, account: result.account };
};
