import { queueHandler } from '#core/platform/work/batch.ts';
import { SettlementMessage } from '#core/platform/work/messages.ts';
import { settleAuthentication } from '#payments/threeds/settle-flow.ts';
import { settleDispute } from '../../dispute/dispute-store.ts';
import { settleTransaction } from '../../settlement/settle-flow.ts';

export const handler = queueHandler(SettlementMessage, (message) => {
  if ('txid' in message) return settleTransaction(message);
  return 'authenticationId' in message ? settleAuthentication(message) : settleDispute(message.alertId);
});
