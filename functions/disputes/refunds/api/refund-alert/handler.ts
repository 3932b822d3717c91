import { endpoint } from '#core/platform/http/http.ts';
import { refundForAlert } from '../../alert-refund-flow.ts';
import { refundAlert } from './operation.ts';

export const handler = endpoint(refundAlert, async ({ params, body, caller }) => ({
  status: 'ok' as const,
  ...(await refundForAlert(params.alert_id, body, caller)),
}));
