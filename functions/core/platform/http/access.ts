import { isFields } from '#core/kernel/is-object.ts';
import { Refusal } from '../operation/errors.ts';
import {
  type Caller,
  type CallerKey,
  type Operation,
  type Permission,
  permissions,
  type Role,
  roles,
} from '../operation/operation.ts';
import { isInRanges } from './ip-ranges.ts';

/** The gateway authorizer's context of a caller, all as text. Null or absent: no authorizer was asked. */
export type AuthorizerContext = Readonly<Record<string, unknown>> | null | undefined;

type Guarded = Pick<Operation, 'auth' | 'roles' | 'fresh' | 'permission' | 'siteKeys'>;

const findRole = (text: unknown): Role | undefined => roles.find((one) => one === text);

/** The gateway says the same about a header that is missing or is not in the form of a token, without asking the authorizer. */
export const tokenWanted =
  'The header authorization is missing, or is not Bearer followed by a token from gettoken (three parts joined by dots) or by an API key (`fwk_` and two parts).';

/** When (ISO) and from which address a call came. */
type Circumstances = { at: string; sourceIp: string };

/** Refuses a caller whom the declaration does not admit. The gateway's authorizer has already checked the token. */
export const admit = (operation: Guarded, context: AuthorizerContext, { at, sourceIp }: Circumstances): void => {
  const { auth, fresh } = operation;
  if (auth !== 'bearer' && auth !== 'admin') return;
  const scope = context?.['scope'];
  if (scope !== 'admin' && scope !== 'merchant') throw new Refusal('unauthenticated', tokenWanted);
  if (auth === 'admin' && scope !== 'admin') throw new Refusal('scope_missing', "This needs an administrator's token.");
  const caller = toCaller(operation, context);
  if (caller.key) {
    admitKey(operation, caller.key, listIn(context?.['ipRanges']), sourceIp);
    return;
  }
  if (operation.roles && !hasRole(caller, operation.roles)) throw roleMissing(operation.roles);
  if (fresh) needFresh(caller, at);
};

/** The permission stands for role and fresh sign-in: a manager has given it, and a key has no password. */
const admitKey = (
  { permission = 'person', siteKeys }: Guarded,
  { permissions: own, sites }: CallerKey,
  ranges: readonly string[],
  sourceIp: string,
): void => {
  if (ranges.length > 0 && !isInRanges(sourceIp, ranges)) {
    throw new Refusal('ip_not_allowed', `The call came from ${sourceIp}, which is in no range of the key.`);
  }
  if (permission === 'person')
    throw new Refusal('permission_missing', 'API keys cannot call this operation; sign in as a user.');
  if (!own.includes(permission)) throw new Refusal('permission_missing', `It needs the permission ${permission}.`);
  if (sites !== null && siteKeys === undefined) {
    throw new Refusal('site_not_allowed', 'The key is limited to sites, and this is about the whole merchant.');
  }
};

/**
 * Refuses a key that is limited to sites a call that does not name one of them, where the operation has the site named. `fields`: of
 * the path and the body.
 */
export const admitSites = ({ siteKeys }: Guarded, { key }: Caller, fields: readonly unknown[]): void => {
  const sites = key?.sites ?? null;
  if (sites === null || siteKeys !== 'named') return;
  const named = fields.flatMap((one) => (isFields(one) ? [one['sid'] ?? []].flat() : []));
  if (named.length > 0 && named.every((sid) => sites.includes(Number(sid)))) return;
  throw new Refusal('site_not_allowed', `sid: must be one of the key’s sites, ${sites.join(', ')}.`);
};

const listIn = (text: unknown): string[] => (typeof text === 'string' ? text.split(' ').filter(Boolean) : []);

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

/** Refuses a call whose body diverts something, where only some do: a person needs a fresh sign-in, a key the permission of its kind. */
export const admitDiversion = (
  { diverts, divertsIf }: Pick<Operation, 'diverts' | 'divertsIf'>,
  caller: Caller,
  body: unknown,
  at: string,
): void => {
  if (!diverts || !divertsIf?.(body)) return;
  if (!caller.key) {
    needFresh(caller, at);
    return;
  }
  const permission = { money: 'settings:money', data: 'settings:data', secret: 'settings:secrets' } as const;
  if (!caller.key.permissions.includes(permission[diverts]))
    throw new Refusal('permission_missing', `With these fields it also needs the permission ${permission[diverts]}.`);
};

/** Returns the caller that the gateway's authorizer named. */
export const toCaller = ({ auth }: Guarded, context: AuthorizerContext): Caller => {
  if (auth !== 'bearer' && auth !== 'admin') return { scope: 'none', subject: auth };
  const { scope, subject, mid, role, freshUntil, signedInAt, program, permissions: allowed } = context ?? {};
  const known = findRole(role);
  const person = {
    subject: String(subject),
    ...(known && { role: known }),
    ...(typeof freshUntil === 'string' && { freshUntil }),
    ...(typeof signedInAt === 'string' && { signedInAt }),
    ...(program === 'true' && { isProgram: true as const }),
    ...(typeof allowed === 'string' && { key: toCallerKey(allowed, context?.['sites']) }),
  };
  return scope === 'admin' ? { scope: 'admin', ...person } : { scope: 'merchant', mid: Number(mid), ...person };
};

const toCallerKey = (allowed: string, sites: unknown): CallerKey => {
  const names = listIn(allowed);
  return {
    permissions: permissions.filter((one): one is Permission => names.includes(one)),
    sites: typeof sites === 'string' ? listIn(sites).map(Number) : null,
  };
};
