import { defineWorker } from '#core/platform/operation/worker.ts';

export const importHistoryWorker = defineWorker('history/import-history', {
  summary: "Imports the history of merchants' own processors, and the orders of their shops",
  on: { queue: 'imports', batchSize: 1, maximumConcurrency: 10 },
  timeoutSeconds: 60,
  memoryMegabytes: 512,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['list2'],
    secrets: ['encryption'],
    send: ['imports', 'chargebacks'],
  },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});
