import { signal } from '@preact/signals';
import { setServiceTime } from './clock.ts';
import { post, ServiceError } from './transport.ts';

export type Role = 'analyst' | 'developer' | 'manager';
export type User = { username: string; name: string; scope: 'admin' | 'merchant'; mid: number | null; role: Role };

/** The token is kept in memory only. */
type Session = { token: string; endsAt: number };
type Claims = { sub: string; scope: User['scope']; mid?: number; iat: number };

/** Who is signed in. */
export const user = signal<User | null>(null);

let session: Session | undefined;

const claimsOf = (token: string): Claims => {
  const [, payload = ''] = token.split('.');
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Claims;
};

/** Signs in with a username and a password. Throws ServiceError. */
export const signIn = async (username: string, password: string): Promise<void> => {
  const answer = await post('/api/v2/index.php/gettoken', { body: { username, password } });
  const { access_token: token, expires_in } = answer as { access_token: string; expires_in: number };
  const { sub, scope, mid = null, iat } = claimsOf(token);
  session = { token, endsAt: Date.now() + expires_in * 1000 };
  setServiceTime(iat * 1000);
  user.value = { username: sub, name: '', scope, mid, role: 'manager' };
};

export const signOut = (): void => {
  session = undefined;
  user.value = null;
};

/** A token that is good for a while. Throws ServiceError, and signs out, where it is over. */
export const accessToken = async (): Promise<string> => {
  if (session && session.endsAt > Date.now()) return session.token;
  signOut();
  throw new ServiceError(401, { msg: 'Signed out', details: 'Sign in again.' });
};
