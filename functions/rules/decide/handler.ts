import { queueHandler } from '../../core/batch.ts';
import { mostReceipts } from '../../core/worker.ts';
import { DecisionMessage } from '../../notifications/messages.ts';
import { decideAlert } from '../decide-store.ts';
import { paymentRefunds } from '../payment-refund-flow.ts';

export const handler = queueHandler(DecisionMessage, async ({ alertId }, { attributes }) => {
  const receipts = Number(attributes.ApproximateReceiveCount || 1);
  // Before it is a dead letter, it must not fail for a processor's sake.
  await decideAlert(alertId, paymentRefunds, receipts >= mostReceipts);
});
