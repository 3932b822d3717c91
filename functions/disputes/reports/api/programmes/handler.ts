import { endpoint } from '#core/platform/http/http.ts';
import { merchantOfRequest } from '#core/platform/operation/merchant-access.ts';
import { programmeStandings } from '../../figures-store.ts';
import { programmeReport } from './operation.ts';

export const handler = endpoint(programmeReport, async ({ body, caller }) => ({
  list: await programmeStandings(merchantOfRequest(body.mid, caller), body.month),
}));
