import { endpoint } from '#core/platform/http/http.ts';
import { alertForCaller } from '../../alert-store.ts';
import { alertDetailsOperation } from './operation.ts';

export const handler = endpoint(alertDetailsOperation, ({ params, caller }) => alertForCaller(params.alert_id, caller));
