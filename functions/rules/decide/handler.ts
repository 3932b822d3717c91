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
  // Before it is a dead letter, it must not fail for a processor's sake.
  const nextAt = await decideAlert(alertId, paymentRefunds, receipts >= mostReceipts);
  // It waits for a processor for longer than a message can in one go.
  if (nextAt !== undefined) await sendOrThrow([{ queue: 'rules', body: { alertId }, ...delayUntil(nextAt, nowIso()) }]);
});
