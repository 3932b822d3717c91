import * as v from 'valibot';
import { queueHandler } from '#core/platform/work/batch.ts';
import { HoldMessage } from '#disputes/alerts/hold-due.ts';
import { settleDispute } from '#disputes/holds/dispute-hold-store.ts';
import { recordEarlierEvents } from '#disputes/holds/earlier-event-store.ts';
import { answering } from '#disputes/refunds/alert-answer-store.ts';
import { AuthenticationMessage } from '#payments/threeds/authentication/authentication-due.ts';
import { settleAuthentication } from '#payments/threeds/authentication-settle-flow.ts';
import { settleTransaction } from '#payments/transactions/settlement/settle-flow.ts';
import { TransactionMessage } from '#payments/transactions/transaction/transaction-due.ts';
import { UncountedMessage } from '../schemas.ts';
import { tallyAlerts } from '../tally-store.ts';

const Message = v.union([TransactionMessage, HoldMessage, AuthenticationMessage, UncountedMessage]);

export const handler = queueHandler(Message, (message) => {
  if ('uncounted' in message) return tallyAlerts([message.uncounted], message.isNew ? [message.uncounted] : []);
  if ('txid' in message) return settleTransaction(message, { alongside: answering() });
  return 'authenticationId' in message ? settleAuthentication(message) : settleHold(message.alertId);
});

/** Events from before the alert are also recorded first: settling releases the payment of an answered alert. */
const settleHold = async (alertId: number): Promise<void> => {
  await recordEarlierEvents(alertId);
  await settleDispute(alertId);
  await recordEarlierEvents(alertId);
};
