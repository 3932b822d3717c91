import { endpoint } from '#core/platform/http/http.ts';
import { listInform } from '../../search/inform-store.ts';
import { listInformAlertsOperation } from './operation.ts';

export const handler = endpoint(listInformAlertsOperation, ({ body, caller }) => listInform(body, caller));
