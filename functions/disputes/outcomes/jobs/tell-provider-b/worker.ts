import { defineWorker } from '#core/platform/operation/worker.ts';
import { providerB } from '#disputes/providers/provider-b.ts';

export const tellProviderBWorker = defineWorker('outcomes/tell-provider-b', {
  summary: 'Tells provider_b what became of its cases, one call each',
  on: { queue: 'outcome-b', batchSize: 10, maximumConcurrency: 2 },
  timeoutSeconds: 45,
  memoryMegabytes: 256,
  grants: {
    table: ['BatchGetItem', 'PutItem'],
    secrets: [providerB.outcomes.secret, 'encryption'],
    send: ['outcome-b'],
  },
  variables: ['ALLOW_LOOPBACK_HTTP', 'OPERATIONS_MAIL'],
});
