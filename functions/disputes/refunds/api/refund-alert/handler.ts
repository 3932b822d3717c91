import { endpoint } from '#core/platform/http/http.ts';
import { refundForAlert } from '../../alert-refund-flow.ts';
import { refundAlertOperation } from './operation.ts';

export const handler = endpoint(refundAlertOperation, async ({ params, body, caller }) => ({
  status: 'ok' as const,
  ...(await refundForAlert(params.alert_id, body, caller)),
}));
