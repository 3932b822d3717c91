import { queueHandler } from '#core/platform/work/batch.ts';
import { settleDueRefund } from '../../connection-refund-flow.ts';
import { RefundMessage } from '../../refund-due.ts';

export const handler = queueHandler(RefundMessage, (message) => settleDueRefund(message));
