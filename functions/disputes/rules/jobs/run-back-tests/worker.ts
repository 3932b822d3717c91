import { defineWorker } from '#core/platform/operation/worker.ts';

export const runBackTestsWorker = defineWorker('rules/run-back-tests', {
  summary: 'Tries drafts of rules on alerts that have been',
  on: { queue: 'back-tests', batchSize: 1, maximumConcurrency: 2 },
  timeoutSeconds: 60,
  memoryMegabytes: 1024,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'],
    indexes: ['list1', 'list2', 'list3f', 'list4'],
    send: ['back-tests'],
  },
});
