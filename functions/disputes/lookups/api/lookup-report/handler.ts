import { endpoint } from '#core/platform/http/http.ts';
import { reportOfLookups } from '../../lookup/lookup-report-store.ts';
import { lookupReportOperation } from './operation.ts';

export const handler = endpoint(lookupReportOperation, ({ body, caller }) => reportOfLookups(body, caller));
