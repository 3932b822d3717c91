import { endpoint } from '#core/platform/http/http.ts';
import { listMonths, listSums } from '../../import/charge-statistics.ts';
import { toImportDto } from '../../import/history-import-row.ts';
import { importForCaller } from '../../import/history-import-store.ts';
import { readProposals } from '../../import/proposals-store.ts';
import { importDetailsOperation } from './operation.ts';

export const handler = endpoint(importDetailsOperation, async ({ params, caller }) => {
  const { mid, id: connection, import_id: id } = params;
  const known = await importForCaller({ mid, connection, id }, caller);
  const { statistics } = known;
  return {
    ...toImportDto(known),
    sums: listSums(statistics),
    months: listMonths(statistics),
    proposals: await readProposals(known),
  };
});
