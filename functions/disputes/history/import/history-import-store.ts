import { nowIso } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { checkMerchantAccess, visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, transact } from '#core/platform/table/table.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { connectionForCaller } from '#disputes/connections/connection-store.ts';
import {
  changeImport,
  type HistoryImport,
  type ImportAction,
  type ImportPart,
  isUnfinished,
  newImport,
} from './history-import.ts';
import { historyImportDue } from './history-import-due.ts';
import { fromImportItem, fromLatestImportItem, importWrite, newImportWrites } from './history-import-row.ts';

type Wanted = { from: string; to: string; what: readonly ImportPart[] };

const refuseUnfinished = (id: string) =>
  new Refusal('import_unfinished', `id: import ${id} of this connection has not ended. Wait for it, or cancel it.`);

/** Begins an import, which a worker then runs. Throws merchant_not_found, connection_not_found, import_unfinished. */
export const startImport = async (
  { mid, connection: id }: { mid: number; connection: string },
  { from, to, what }: Wanted,
  caller: Caller,
): Promise<HistoryImport> => {
  const connection = await connectionForCaller(mid, id, caller);
  const owner = { id: `imp_${newTimedId()}`, mid, connection: id, kind: connection.kind, by: caller.subject };
  const begun = newImport({ ...owner, from, to, parts: what }, nowIso());
  await retryOnConflict(async () => {
    const latest = fromLatestImportItem(await getItem(keys.latestImport(mid, id)))?.id;
    // The reply to an earlier attempt of the same transaction was lost.
    if (latest === begun.id) return;
    const before = latest === undefined ? undefined : fromImportItem(await getItem(keys.historyImport(latest)));
    if (before && isUnfinished(before)) throw refuseUnfinished(before.id);
    await transact({ rows: newImportWrites(begun, latest) });
  });
  await sendOrThrow([historyImportDue.message({ importId: begun.id })]);
  return begun;
};

/** The name that stands for the latest import of a connection. */
const latestName = 'latest';

/** `id`: an import of the connection, or `latest`. Throws import_not_found. */
export const importForCaller = async (
  { mid, connection, id }: { mid: number; connection: string; id: string },
  caller: Caller,
): Promise<HistoryImport> => {
  const words = 'import_id: the connection has no such import.';
  checkMerchantAccess(mid, caller);
  const latest = id === latestName ? await getItem(keys.latestImport(mid, connection)) : undefined;
  const known = fromImportItem(await getItem(keys.historyImport(fromLatestImportItem(latest)?.id ?? id)));
  const isNamed = known?.mid === mid && known.connection === connection;
  return visibleOrRefuse(isNamed ? known : undefined, caller, 'import_not_found', words);
};

/** One import of a connection runs at a time: an earlier one does not continue. */
const refuseReplaced = async ({ id, mid, connection }: HistoryImport): Promise<void> => {
  const latest = fromLatestImportItem(await getItem(keys.latestImport(mid, connection)))?.id;
  if (latest === id) return;
  throw new Refusal('import_state_wrong', 'action: a later import of the connection has replaced this one.');
};

/** Pauses, resumes or cancels an import. Throws import_not_found, import_state_wrong. */
export const changeImportForCaller = async (
  place: { mid: number; connection: string; id: string },
  action: ImportAction,
  caller: Caller,
): Promise<HistoryImport> => {
  const after = await retryOnConflict(async () => {
    const before = await importForCaller(place, caller);
    if (action === 'resume') await refuseReplaced(before);
    const changed = changeImport(before, action, nowIso());
    if (!changed) throw new Refusal('import_state_wrong', `action: the import is ${before.state}.`);
    await transact({ import: importWrite(changed) });
    return changed;
  });
  if (after.state === 'RUNNING') await sendOrThrow([historyImportDue.message({ importId: after.id })]);
  return after;
};
