import { endpoint } from '../../core/http.ts';
import { listInformAlerts } from '../operations.ts';
import { listInform } from '../search/inform-store.ts';

export const handler = endpoint(listInformAlerts, ({ body, caller }) => listInform(body, caller));
