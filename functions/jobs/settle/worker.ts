import { defineWorker } from '#core/platform/operation/worker.ts';

export const settleWorker = defineWorker('jobs/settle', {
  summary:
    'Asks what became of what is under way, at processors and issuers, has disputes hold their payments, and counts alerts that the counter could not count',
  on: { queue: 'settlement', batchSize: 5, maximumConcurrency: 50 },
  timeoutSeconds: 60,
  memoryMegabytes: 512,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
    indexes: ['list1', 'list2', 'list3f'],
    secrets: ['encryption'],
    send: ['settlement'],
  },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
});
