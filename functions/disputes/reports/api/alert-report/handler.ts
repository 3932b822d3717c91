import { endpoint } from '#core/platform/http/http.ts';
import { readAlertDays } from '../../alert-day-store.ts';
import { reportOf } from '../../report.ts';
import { reportScope } from '../../scope-store.ts';
import { alertReport } from './operation.ts';

export const handler = endpoint(alertReport, async ({ body, caller }) => {
  const { from, to, group } = body;
  return reportOf(await readAlertDays(await reportScope(body, caller), from, to), group);
});
