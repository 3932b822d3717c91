import { endpoint } from '#core/platform/http/http.ts';
import { alertForCaller } from '../../alert-store.ts';
import { alertDetails } from './operation.ts';

export const handler = endpoint(alertDetails, ({ params, caller }) => alertForCaller(params.alert_id, caller));
