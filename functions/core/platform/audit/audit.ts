import { isObject } from '#core/kernel/is-object.ts';
import type { Caller } from '../operation/operation.ts';
import type { AuditChange } from './audit-values.ts';

export const auditResults = ['DONE', 'REFUSED', 'UNKNOWN'] as const;
/** UNKNOWN: it was begun, and was cut off before its result could be recorded. */
type AuditResult = (typeof auditResults)[number];

/** One call of an operation that sets up, opens or closes something: names, numbers, and the values that the operation lists. */
export type AuditEntry = {
  id: string;
  at: string;
  operation: string;
  by: string;
  scope: Caller['scope'];
  sourceIp: string;
  requestId: string;
  mid: number | null;
  sid: number | null;
  /** The user that the call was about. */
  username: string | null;
  ids: Readonly<Record<string, number>>;
  fields: readonly string[];
  changes: readonly AuditChange[];
  result: AuditResult;
  /** Why it was refused. */
  code: string | null;
};

/** The origin of a call. */
export type CallOrigin = { sourceIp: string; requestId: string };

type Called = CallOrigin & {
  id: string;
  at: string;
  operation: string;
  caller: Caller;
  params: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
};

const numberAt = (fields: Readonly<Record<string, unknown>>, name: string): number | null => {
  const value = fields[name];
  return typeof value === 'number' ? value : null;
};

const numbersIn = (fields: Readonly<Record<string, unknown>>): Record<string, number> =>
  Object.fromEntries(
    ['mid', 'rid', 'sid', 'id', 'ftid', 'rule_id', 'alert_id'].flatMap((name) => {
      const number = numberAt(fields, name);
      return number === null ? [] : [[name, number]];
    }),
  );

/** The entry of a call before it is made. */
export const begunEntry = ({ params, body, caller, ...call }: Called): AuditEntry => {
  const ids = { ...numbersIn(body), ...numbersIn(params) };
  const { username } = body;
  return {
    ...call,
    by: caller.subject,
    scope: caller.scope,
    mid: caller.mid ?? ids['mid'] ?? null,
    sid: ids['sid'] ?? null,
    // Elsewhere `username` is not a user of Forewarn: an alert site's is for its shop's endpoint.
    username: typeof username === 'string' && /^(auth|command)\//.test(call.operation) ? username : null,
    ids,
    fields: Object.keys(body)
      .filter((name) => body[name] !== undefined)
      .sort(),
    changes: [],
    result: 'UNKNOWN',
    code: null,
  };
};

/** The same after the call: with what it changed, the numbers it gave out, and the user whose link was used. */
export const doneEntry = (entry: AuditEntry, reply: unknown, changes: AuditEntry['changes'] = []): AuditEntry => {
  const answered = isObject(reply) ? reply : {};
  const ids = { ...numbersIn(answered), ...entry.ids };
  const { username } = answered;
  const byLink = entry.scope === 'none' && typeof username === 'string';
  return {
    ...entry,
    ids,
    changes,
    mid: entry.mid ?? ids['mid'] ?? null,
    sid: entry.sid ?? ids['sid'] ?? null,
    // The whole name, where the service added to the one that was sent.
    ...(typeof username === 'string' && entry.username !== null && { username }),
    ...(byLink && { by: username, username }),
    result: 'DONE',
  };
};

export const refusedEntry = (entry: AuditEntry, code: string): AuditEntry => ({ ...entry, result: 'REFUSED', code });
