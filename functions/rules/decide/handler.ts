import { queueHandler } from '../../core/batch.ts';
import { nowIso } from '../../core/clock.ts';
import { mostReceipts } from '../../core/worker.ts';
import { delayUntil } from '../../notifications/delay.ts';
import { DecisionMessage } from '../../notifications/messages.ts';
import { sendOrThrow } from '../../notifications/queue-store.ts';
import { decideAlert } from '../decide-store.ts';
import { paymentRefunds } from '../payment-refund-flow.ts';

export const handler = queueHandler(DecisionMessage, async ({ alertId }, { attributes }) => {
  const receipts = Number(attributes.ApproximateReceiveCount || 1);
  // On the last try before it becomes a dead letter, it must not fail because of a processor.
  const nextAt = await decideAlert(alertId, paymentRefunds, receipts >= mostReceipts);
  // It waits for a processor longer than the longest delay of a message.
  if (nextAt !== undefined) await sendOrThrow([{ queue: 'rules', body: { alertId }, ...delayUntil(nextAt, nowIso()) }]);
});
