import { nowIso } from '#core/kernel/clock.ts';
import { newTimedId, randomText } from '#core/kernel/ids.ts';
import { isObject } from '#core/kernel/is-object.ts';
import { endpoint, WithHeaders } from '../http/http.ts';
import { describeError, log } from '../log/log.ts';
import { createMail, mailIdOf } from '../mail/mail.ts';
import { newMailWrite } from '../mail/mail-row.ts';
import { requireVariable } from '../operation/environment.ts';
import { Refusal } from '../operation/errors.ts';
import type { Caller, Operation, Reply, Request } from '../operation/operation.ts';
import { putItem, transact, type Write } from '../table/table.ts';
import { type AuditEntry, begunEntry, type CallOrigin, doneEntry, refusedEntry } from './audit.ts';
import { toAuditItem } from './audit-row.ts';
import { auditChanges, StateComparison } from './audit-values.ts';
import { Diversion, diversionMail } from './diversion.ts';

/**
 * The handler of an operation whose calls are audited. The entry is written before anything is done, and again with the
 * result: nothing is changed without an entry, and a call that was cut off in between shows as UNKNOWN. `admit` runs before the
 * entry, for operations that anybody may call: calls it refuses leave no rows.
 *
 * A call that `diverts` something is mailed to the managers of its merchant once it is done.
 */
export const auditedEndpoint = <O extends Operation>(
  operation: O,
  run: (
    request: Request<O>,
    diversion: Diversion,
    comparison: StateComparison,
  ) => Promise<Reply<O> | WithHeaders<Reply<O>>>,
  { admit, ...options }: Parameters<typeof endpoint>[2] & { admit?: (request: Request<O>) => Promise<unknown> } = {},
) =>
  endpoint(
    operation,
    async (request) => {
      await admit?.(request);
      if (operation.divertsIf?.(request.body) === false) return run(request, new Diversion(), new StateComparison());
      const body = isObject(request.body) ? request.body : {};
      const entry = begunEntry({
        id: randomText(20),
        at: nowIso(),
        operation: `${operation.area}/${operation.name}`,
        caller: request.caller,
        sourceIp: request.sourceIp,
        requestId: request.requestId,
        params: isObject(request.params) ? request.params : {},
        body,
      });
      await putItem(toAuditItem(entry));
      try {
        const [diversion, comparison] = [new Diversion(), new StateComparison()];
        const reply = await run(request, diversion, comparison);
        const changes = auditChanges(operation.auditValues ?? {}, body, comparison);
        const done = doneEntry(entry, reply instanceof WithHeaders ? reply.reply : reply, changes);
        await finish(done);
        if (operation.diverts && diversion.isReal) await tellManagers(operation, done, diversion);
        return reply;
      } catch (error) {
        if (error instanceof Refusal) await finish(refusedEntry(entry, error.code));
        throw error;
      }
    },
    options,
  );

/** If this cannot be written, the call still stands and gets its reply: the entry written before it exists. */
const finish = (entry: AuditEntry): Promise<void> =>
  putItem(toAuditItem(entry)).catch((error: unknown) => {
    const { id, operation, result } = entry;
    log('error', 'audit_entry_not_finished', { auditId: id, operation, result, error: describeError(error) });
  });

/** As above: what was done stands, so a notice that cannot be written raises an alarm. */
const tellManagers = async ({ summary }: Operation, entry: AuditEntry, diversion: Diversion): Promise<void> => {
  const mid = entry.mid ?? diversion.mid;
  if (mid === null) return;
  await transact({ mail: noticeWrite(summary, entry, mid, diversion.formerAddresses) }).catch((error: unknown) =>
    log('error', 'diversion_notice_not_written', { auditId: entry.id, error: describeError(error) }),
  );
};

/**
 * The part of a transaction that notifies a merchant's managers of a change, or the operators if it is of no merchant, and others by their
 * addresses.
 */
const noticeWrite = (summary: string, entry: AuditEntry, mid: number | null, addresses: readonly string[]): Write => {
  const id = mailIdOf(newTimedId());
  const about = { kind: 'diversion_notice', sid: entry.sid ?? 0, mid: mid ?? 0, at: entry.at } as const;
  const to = [...new Set(mid === null ? [...addresses, requireVariable('OPERATIONS_MAIL')] : addresses)];
  const managers = mid === null ? {} : ({ toManagers: true } as const);
  return newMailWrite(createMail({ id, ...about, to, ...managers, letter: diversionMail(summary, entry) }));
};

type OwnChange = {
  operation: string;
  summary: string;
  mid: number | null;
  username: string;
  fields: readonly string[];
};

/**
 * The parts of a transaction that record a change which a user causes by signing in, and notify the managers of it; of an operator, with
 * `mid` null, the operators. `fields`: what was set.
 */
export const ownChangeWrites = (
  { operation, summary, mid, username, fields }: OwnChange,
  origin: CallOrigin,
): { audit: Write; notice: Write } => {
  const caller: Caller =
    mid === null ? { scope: 'admin', subject: username } : { scope: 'merchant', subject: username, mid };
  const called = { id: randomText(20), at: nowIso(), operation, ...origin, params: {} };
  const entry = doneEntry(begunEntry({ ...called, caller, body: { ...flagNames(fields), username } }), {});
  return { audit: { Put: { Item: toAuditItem(entry) } }, notice: noticeWrite(summary, entry, mid, []) };
};

const flagNames = (names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.map((name) => [name, true] as const));

/** The part of a transaction that records what someone without a sign-in did in a user's name; empty: of no user. */
export const anonymousCallWrite = (
  operation: string,
  { mid, username }: { mid: number | null; username: string },
  origin: CallOrigin,
): Write => {
  const caller: Caller = { scope: 'none', subject: '-', ...(mid !== null && { mid }) };
  const called = { id: randomText(20), at: nowIso(), operation, ...origin, params: {}, caller };
  return { Put: { Item: toAuditItem(doneEntry(begunEntry({ ...called, body: username ? { username } : {} }), {})) } };
};

/** An entry for an operator's command; the machine knows who they are, we do not. */
export const auditCommand = (operation: string, username: string | null, fields: readonly string[]): Promise<void> => {
  const caller = { scope: 'admin', subject: 'command line' } as const;
  const called = { id: randomText(20), at: nowIso(), operation, sourceIp: '', requestId: '', params: {} };
  const body = { ...flagNames(fields), ...(username !== null && { username }) };
  const entry = begunEntry({ ...called, caller, body });
  return putItem(toAuditItem(doneEntry(entry, {})));
};
