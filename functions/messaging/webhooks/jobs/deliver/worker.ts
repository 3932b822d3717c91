import { defineWorker } from '#core/platform/operation/worker.ts';

export const deliverWorker = defineWorker('webhooks/deliver', {
  summary: "Posts notifications to merchants' endpoints",
  on: { queue: 'delivery', batchSize: 10, maximumConcurrency: 200 },
  timeoutSeconds: 60,
  memoryMegabytes: 512,
  grants: { table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem'], secrets: ['encryption'], send: ['delivery'] },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS', 'DASHBOARD_URL'],
});
