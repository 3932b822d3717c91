import { endpoint } from '#core/platform/http/http.ts';
import { costReportOf } from '../../cost-day.ts';
import { reportOwner } from '../../cost-report-store.ts';
import { costDays } from '../../cost-store.ts';
import { alertCostsOperation } from './operation.ts';

export const handler = endpoint(
  alertCostsOperation,
  async ({ body: { mid, sid, provider, from, to, group }, caller }) =>
    costReportOf(await costDays(await reportOwner({ mid, sid }, caller), from, to), group, provider),
);
