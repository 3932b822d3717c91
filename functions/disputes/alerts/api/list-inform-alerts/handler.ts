import { endpoint } from '#core/platform/http/http.ts';
import { listInform } from '../../search/inform-store.ts';
import { listInformAlerts } from './operation.ts';

export const handler = endpoint(listInformAlerts, ({ body, caller }) => listInform(body, caller));
