import { queueHandler } from '#core/platform/work/batch.ts';
import { SettlementMessage } from '#core/platform/work/messages.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { answering } from '#disputes/refunds/alert-answer-store.ts';
import { settleAuthentication } from '#payments/threeds/settle-flow.ts';
import { settleTransaction } from '#payments/transactions/settlement/settle-flow.ts';

export const handler = queueHandler(SettlementMessage, (message) => {
  if ('txid' in message) return settleTransaction(message, { alongside: answering() });
  return 'authenticationId' in message ? settleAuthentication(message) : settleDispute(message.alertId);
});
