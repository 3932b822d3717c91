import { queueHandler } from '../../core/batch.ts';
import { RefundMessage } from '../../notifications/messages.ts';
import { settleDueRefund } from '../connection-refund-flow.ts';

export const handler = queueHandler(RefundMessage, (message) => settleDueRefund(message));
