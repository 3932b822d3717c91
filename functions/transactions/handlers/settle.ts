import { queueHandler } from '../../core/batch.ts';
import { SettlementMessage } from '../../notifications/messages.ts';
import { settleTransaction } from '../settle-flow.ts';

export const handler = queueHandler(SettlementMessage, async (message) => {
  if ('txid' in message) await settleTransaction(message.txid);
});
