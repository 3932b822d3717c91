import { endpoint } from '#core/platform/http/http.ts';
import { merchantOfRequest } from '#core/platform/operation/merchant-access.ts';
import { programmeStandings } from '../../figures-store.ts';
import { programmeReportOperation } from './operation.ts';

export const handler = endpoint(programmeReportOperation, async ({ body, caller }) => ({
  list: await programmeStandings(merchantOfRequest(body.mid, caller), body.month),
}));
