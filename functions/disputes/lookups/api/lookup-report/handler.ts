import { endpoint } from '#core/platform/http/http.ts';
import { reportOfLookups } from '../../lookup/lookup-report-store.ts';
import { lookupReport } from './operation.ts';

export const handler = endpoint(lookupReport, ({ body, caller }) => reportOfLookups(body, caller));
