import { queueHandler } from '../../core/batch.ts';
import { SettlementMessage } from '../../notifications/messages.ts';
import { settleAuthentication } from '../../threeds/settle-flow.ts';
import { settleDispute } from '../dispute-store.ts';
import { settleTransaction } from '../settle-flow.ts';

export const handler = queueHandler(SettlementMessage, (message) => {
  if ('txid' in message) return settleTransaction(message);
  return 'authenticationId' in message ? settleAuthentication(message) : settleDispute(message.alertId);
});
