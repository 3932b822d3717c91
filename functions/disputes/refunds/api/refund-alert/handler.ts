import { endpoint } from '#core/platform/http/http.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { refundForAlert } from '../../alert-refund-flow.ts';
import { refundAlertOperation } from './operation.ts';

export const handler = endpoint(
  refundAlertOperation,
  // An alert has one refund, which a repetition finds without help.
  idempotent(refundAlertOperation, async ({ params, body, caller }) => ({
    status: 'ok' as const,
    ...(await refundForAlert(params.alert_id, body, caller)),
  })),
);
