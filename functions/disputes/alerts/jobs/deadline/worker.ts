import { defineWorker } from '#core/platform/operation/worker.ts';

export const deadlineWorker = defineWorker('alerts/deadline', {
  summary:
    'Keeps one schedule per open alert, warns of its deadline and marks that it passed; sends daily digests; has the rules of chargebacks evaluated in time',
  // Fifty calls to EventBridge Scheduler at a time: it takes a few hundred a second for the whole account.
  on: { queue: 'deadline', batchSize: 10, maximumConcurrency: 5 },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem'],
    indexes: ['list2', 'list2f'],
    schedules: true,
    send: ['chargeback-rules'],
  },
});
