import type { Grants, TableAction } from '#core/platform/operation/grants.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';

/** Actions that only the code of the release before sends: it runs under the new role while a release is deployed or tried on a part of the calls. */
const kept: Readonly<Record<string, readonly TableAction[] | undefined>> = {
  // 1.0.0 ended sessions with an update.
  'auth/end-session': ['UpdateItem'],
  // 1.1.0 and earlier read one row before they wrote.
  'pricing/set-fees': ['GetItem'],
  'reports/set-figures': ['GetItem'],
};

/** Returns the grants of a function's role: those that it declares, and those that the release before needs. */
export const grantsOfRole = ({ area, name, grants }: Operation | Worker): Grants => {
  const others = kept[`${area}/${name}`] ?? [];
  return others.length === 0 ? grants : { ...grants, table: [...new Set([...(grants.table ?? []), ...others])] };
};
