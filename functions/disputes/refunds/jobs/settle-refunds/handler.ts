import { queueHandler } from '#core/platform/work/batch.ts';
import { RefundMessage } from '#core/platform/work/messages.ts';
import { settleDueRefund } from '../../connection-refund-flow.ts';

export const handler = queueHandler(RefundMessage, (message) => settleDueRefund(message));
