import { defineWorker } from '#core/platform/operation/worker.ts';

export const settleRefundsWorker = defineWorker('refunds/settle-refunds', {
  summary: "Asks merchants' own processors what became of refunds for alerts",
  on: { queue: 'refunds', batchSize: 5 },
  timeoutSeconds: 60,
  memoryMegabytes: 512,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    indexes: ['list2f'],
    secrets: ['encryption'],
    send: ['refunds'],
  },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});
