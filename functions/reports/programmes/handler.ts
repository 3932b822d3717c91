import { endpoint } from '../../core/http.ts';
import { programmeStandings } from '../figures-store.ts';
import { reportMerchant } from '../owner.ts';
import { programmeReport } from './operation.ts';

export const handler = endpoint(programmeReport, async ({ body, caller }) => ({
  list: await programmeStandings(reportMerchant(body.mid, caller), body.month),
}));
