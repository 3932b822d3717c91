import { endpoint } from '#core/platform/http/http.ts';
import { readAlertDays } from '../../alert-day-store.ts';
import { alertReportOf } from '../../report.ts';
import { reportScope } from '../../scope-store.ts';
import { alertReportOperation } from './operation.ts';

export const handler = endpoint(alertReportOperation, async ({ body, caller }) => {
  const { from, to, group } = body;
  return alertReportOf(await readAlertDays(await reportScope(body, caller), from, to), group);
});
