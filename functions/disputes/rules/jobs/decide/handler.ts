import { maxReceipts } from '#core/platform/operation/worker.ts';
import { queueHandler } from '#core/platform/work/batch.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { DecisionMessage, decisionDue } from '#disputes/alerts/automatic/decision-due.ts';
import { decideAlert } from '../../decide/decide-store.ts';
import { paymentRefunds } from '../../decide/payment-refund-flow.ts';

export const handler = queueHandler(DecisionMessage, async ({ alertId }, { attributes }) => {
  const receipts = Number(attributes.ApproximateReceiveCount || 1);
  // On the last try before it becomes a dead letter, it must not fail because of a processor.
  const nextAt = await decideAlert(alertId, paymentRefunds, receipts >= maxReceipts);
  // It waits for a processor longer than the longest delay of a message.
  if (nextAt !== undefined) await sendOrThrow([decisionDue.message({ alertId }, { at: nextAt })]);
});
