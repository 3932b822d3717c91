import { signal } from '@preact/signals';
import type { answerFactorOperation as answering } from '#accounts/auth/api/answer-factor/operation.ts';
import type { createSessionOperation } from '#accounts/auth/api/create-session/operation.ts';
import type { Reply } from '#core/platform/operation/operation.ts';
import { translate } from '../language/translate.ts';
import { forgetQueries } from './address.ts';
import { setServiceTime } from './clock.ts';
import { readStored, remember } from './storage.ts';
import { post, ServiceError } from './transport.ts';

/** The answer to a sign-in; the token is kept in memory only, and never passed to another tab. */
type Answer = Reply<typeof createSessionOperation>;
export type User = Answer['user'];
export type Role = NonNullable<User['role']>;

type Session = { token: string; endsAt: number };

/** The signed-in user; `undefined` while that is not known yet. */
export const user = signal<User | null | undefined>(undefined);

/** The reason why a password is requested over the page: the session is over, or the action needs a fresh one. */
export const asked = signal<'expired' | 'fresh' | null>(null);

let session: Session | undefined;
let renewing: Promise<string> | undefined;
let answered: PromiseWithResolvers<string> | undefined;

const others = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('forewarn');
/** A token is renewed this long before it is over, so that no call meets its end. */
const spareMilliseconds = 30_000;

const enter = (answer: Answer): string => {
  session = { token: answer.access_token, endsAt: Date.now() + answer.expires_in * 1000 };
  setServiceTime(issuedAt(answer.access_token));
  remember('signed-in', 'yes');
  const owner = readStored('device-of');
  if (owner !== undefined && owner !== answer.user.username) void endDevice();
  user.value = answer.user;
  asked.value = null;
  answered?.resolve(session.token);
  answered = undefined;
  return session.token;
};

/** Ends the notifications in this browser: of someone else who uses it now, or who signs out. */
const endDevice = async (): Promise<void> => {
  const { unsubscribe } = await import('./device.ts');
  // Without a connection, the notifications of a user stay until the next sign-in.
  await unsubscribe().catch(() => undefined);
};

/** When the service made a token, by its own clock. */
const issuedAt = (token: string): number | undefined => {
  const [, payload = ''] = token.split('.');
  const { iat } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { iat?: number };
  return iat === undefined ? undefined : iat * 1000;
};

const leave = (): void => {
  session = undefined;
  remember('signed-in', undefined);
  forgetQueries();
  user.value = null;
  asked.value = null;
  answered?.reject(new ServiceError(401, { msg: translate('Signed out') }));
  answered = undefined;
};

/** Takes up the session that this browser's cookie stands for, if there is one; to be called once. */
export const resume = async (): Promise<void> => {
  others?.addEventListener('message', ({ data }) => {
    if (data === 'signed-out') leave();
  });
  // A browser without a sign-in has no cookie to check.
  if (readStored('signed-in') === undefined) {
    user.value = null;
    return;
  }
  try {
    await refresh();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    leave();
  }
};

/** Signs in with a username and a password. Throws ServiceError, also where a second factor is wanted first. */
export const signIn = async (username: string, password: string): Promise<void> => {
  enter((await post('/api/v3/session/create', { body: { username, password } })) as Answer);
};

/** Answers a challenge of the second factor. Answers recovery codes where it was set up with that. */
export const answerFactor = async (challenge: string, code: string): Promise<readonly string[] | undefined> => {
  const body = { challenge, code };
  const answer = (await post('/api/v3/session/factor', { body })) as Reply<typeof answering>;
  enter(answer);
  return answer.recovery_codes ?? undefined;
};

/** Enters with what the service answered to a passkey or to single sign-on. Reloads the page if another person was signed in before. */
export const enterAs = (answer: Answer): void => {
  const before = user.value;
  enter(answer);
  if (before && before.username !== answer.user.username) location.reload();
};

/** Signs out here, or everywhere the person is signed in. */
export const signOut = async (everywhere = false): Promise<void> => {
  await post('/api/v3/session/end', { body: { everywhere } });
  if (readStored('device-of') !== undefined) await endDevice();
  others?.postMessage('signed-out');
  leave();
};

/** One tab at a time exchanges the cookie: its secret is good once. */
const refresh = (): Promise<string> => {
  renewing ??= lock(async () => enter((await post('/api/v3/session/refresh')) as Answer)).finally(() => {
    renewing = undefined;
  });
  return renewing;
};

const lock = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request('forewarn-session', work) : work();

/** Asks for the password over the page; settles when it was given. Rejects if the person signs out instead. */
export const askPassword = (why: 'expired' | 'fresh'): Promise<string> => {
  answered ??= Promise.withResolvers<string>();
  asked.value = why;
  return answered.promise;
};

/** Gives up what waits for a password. */
export const refusePassword = (): void => {
  asked.value = null;
  answered?.reject(
    new ServiceError(403, {
      msg: translate('Not done'),
      details: translate('You were asked for your password and did not enter it.'),
    }),
  );
  answered = undefined;
};

/** A token that is good for a while. Renews it; where the session is over, waits until the person signs in again. */
export const accessToken = async ({ renew = false }: { renew?: boolean } = {}): Promise<string> => {
  if (!renew && session && session.endsAt - Date.now() > spareMilliseconds) return session.token;
  try {
    return await refresh();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 401) throw error;
    return askPassword('expired');
  }
};
