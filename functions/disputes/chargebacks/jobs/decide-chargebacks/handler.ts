import { nowIso } from '#core/kernel/clock.ts';
import { maxReceipts } from '#core/platform/operation/worker.ts';
import { queueHandler } from '#core/platform/work/batch.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { ChargebackRulesMessage, wakeUpMessage } from '#disputes/alerts/deadline/wake-up.ts';
import { decideChargeback } from '../../automatic/decide-flow.ts';

export const handler = queueHandler(ChargebackRulesMessage, async ({ chargebackId }, { attributes }) => {
  const receipts = Number(attributes.ApproximateReceiveCount || 1);
  const nextAt = await decideChargeback(chargebackId, receipts >= maxReceipts);
  if (nextAt !== undefined) await sendOrThrow([wakeUpMessage(chargebackId, nextAt, nowIso())]);
});
