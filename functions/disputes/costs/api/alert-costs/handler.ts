import { endpoint } from '#core/platform/http/http.ts';
import { reportOf } from '../../cost-day.ts';
import { reportOwner } from '../../cost-report-store.ts';
import { costDays } from '../../cost-store.ts';
import { alertCosts } from './operation.ts';

export const handler = endpoint(alertCosts, async ({ body: { mid, sid, provider, from, to, group }, caller }) =>
  reportOf(await costDays(await reportOwner({ mid, sid }, caller), from, to), group, provider),
);
