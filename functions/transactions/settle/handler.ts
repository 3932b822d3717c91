import { queueHandler } from '../../core/batch.ts';
import { SettlementMessage } from '../../notifications/messages.ts';
import { settleDispute } from '../dispute-store.ts';
import { settleTransaction } from '../settle-flow.ts';

export const handler = queueHandler(SettlementMessage, (message) =>
  'txid' in message ? settleTransaction(message) : settleDispute(message.alertId),
);
