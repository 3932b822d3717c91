import { queueHandler } from '../../core/batch.ts';
import { DecisionMessage } from '../../notifications/messages.ts';
import { decideAlert } from '../decide-store.ts';
import { noProcessor } from '../refund-port.ts';

/** Of the five times a message comes before it is a dead letter, the last one must not fail for a processor's sake. */
const lastReceipt = 5;

export const handler = queueHandler(DecisionMessage, async ({ alertId }, { attributes }) => {
  const receipts = Number(attributes.ApproximateReceiveCount || 1);
  await decideAlert(alertId, noProcessor, receipts >= lastReceipt);
});
