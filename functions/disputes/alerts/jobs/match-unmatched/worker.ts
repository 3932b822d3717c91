import { defineWorker } from '#core/platform/operation/worker.ts';

export const matchUnmatchedWorker = defineWorker('alerts/match-unmatched', {
  summary: 'Holds alerts of the inbox against what was enrolled since',
  on: { queue: 'inbox', batchSize: 1, maximumConcurrency: 2 },
  timeoutSeconds: 60,
  memoryMegabytes: 512,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
    indexes: ['list1'],
    send: ['inbox'],
  },
});
