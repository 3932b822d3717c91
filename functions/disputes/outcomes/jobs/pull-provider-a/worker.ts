import { defineWorker } from '#core/platform/operation/worker.ts';
import { providerA } from '#disputes/providers/provider-a.ts';

export const pullProviderAWorker = defineWorker('outcomes/pull-provider-a', {
  summary: 'Fetches alerts from provider_a, stores them, and acknowledges them there',
  on: { queue: 'pull-a', batchSize: 1, maximumConcurrency: 2 },
  timeoutSeconds: 120,
  memoryMegabytes: 256,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem'],
    secrets: [providerA.outcomes.secret, 'encryption'],
  },
  variables: ['ALLOW_LOOPBACK_HTTP', 'OPERATIONS_MAIL'],
});
