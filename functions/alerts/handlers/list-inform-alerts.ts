import { endpoint } from '../../core/http.ts';
import { listInform } from '../inform-store.ts';
import { listInformAlerts } from '../operations.ts';

export const handler = endpoint(listInformAlerts, ({ body, caller }) => listInform(body, caller));
