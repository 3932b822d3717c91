import { Refusal } from '../operation/errors.ts';
import { type Caller, type Operation, type Role, roles } from '../operation/operation.ts';

/** The gateway authorizer's context of a caller, all as text. Null or absent: no authorizer was asked. */
export type AuthorizerContext = Readonly<Record<string, unknown>> | null | undefined;

type Guarded = Pick<Operation, 'auth' | 'roles' | 'fresh'>;

const roleOf = (text: unknown): Role | undefined => roles.find((one) => one === text);

/** The gateway says the same about a header that is missing or is not in the form of a token, without asking the authorizer. */
export const tokenWanted =
  'The header authorization is missing, or is not Bearer followed by a token from gettoken: three parts joined by dots.';

/** Refuses a caller whom the declaration does not admit. The gateway's authorizer has already checked the token. `at`: ISO. */
export const admit = (operation: Guarded, context: AuthorizerContext, at: string): void => {
  const { auth, fresh } = operation;
  if (auth !== 'bearer' && auth !== 'admin') return;
  const scope = context?.['scope'];
  if (scope !== 'admin' && scope !== 'merchant') throw new Refusal('unauthenticated', tokenWanted);
  if (auth === 'admin' && scope !== 'admin') throw new Refusal('scope_missing', "This needs an administrator's token.");
  const caller = callerOf(operation, context);
  if (operation.roles && !hasRole(caller, operation.roles)) throw roleMissing(operation.roles);
  if (fresh) needFresh(caller, at);
};

const roleMissing = (wanted: readonly Role[]): Refusal =>
  new Refusal('role_missing', `It needs the role ${wanted.join(' or ')}.`);

/** Checks whether a caller has one of the roles; operators need none. */
const hasRole = ({ scope, role = 'manager' }: Caller, wanted: readonly Role[]): boolean =>
  scope === 'admin' || wanted.includes(role);

/** Refuses a merchant's user who has none of the roles, where that depends on the request. */
export const needRole = (caller: Caller, wanted: readonly Role[]): void => {
  if (!hasRole(caller, wanted)) throw roleMissing(wanted);
};

/**
 * Refuses a caller who gave the password too long ago, so that an open browser or a token that has leaked is not enough to divert money
 * or data. Programs get a new token first.
 */
export const needFresh = ({ freshUntil }: Caller, at: string): void => {
  if (freshUntil !== undefined && at < freshUntil) return;
  throw new Refusal(
    'fresh_sign_in_needed',
    'This needs a password entered, or a token from gettoken, within the last 15 minutes.',
  );
};

/** Returns the caller that the gateway's authorizer named. */
export const callerOf = ({ auth }: Guarded, context: AuthorizerContext): Caller => {
  if (auth !== 'bearer' && auth !== 'admin') return { scope: 'none', subject: auth };
  const { scope, subject, mid, role, freshUntil, program } = context ?? {};
  const known = roleOf(role);
  const person = {
    subject: String(subject),
    ...(known && { role: known }),
    ...(typeof freshUntil === 'string' && { freshUntil }),
    ...(program === 'true' && { isProgram: true as const }),
  };
  return scope === 'admin' ? { scope: 'admin', ...person } : { scope: 'merchant', mid: Number(mid), ...person };
};
