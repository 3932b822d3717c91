import { defineWorker } from '#core/platform/operation/worker.ts';
import { outcomeQueues } from '#disputes/providers/providers.ts';

export const router = defineWorker({
  area: 'jobs',
  name: 'router',
  summary: 'Puts what the table owes into the queues',
  on: {
    stream: true,
    entities: [
      'DELIVERY',
      'MAIL',
      'ALERT',
      'ENROLLMENT',
      'INBOX_MATCH',
      'DECISION',
      'TRANSACTION',
      'HOLD',
      'ALERT_ORDER',
      'OUTCOME',
      'AUTHENTICATION',
      'SANDBOX_DISPUTE',
      'REFUND',
    ],
    // Whoever sends a mail writes what became of it: that calls for nothing.
    newOnly: ['MAIL'],
    batchSize: 100,
  },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
  grants: {
    send: [
      'delivery',
      'mail',
      'deadline',
      'enrollment',
      'rules',
      'settlement',
      ...outcomeQueues,
      'lookups',
      'chargebacks',
      'refunds',
      'inbox',
    ],
  },
});
