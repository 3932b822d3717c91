import { defineWorker } from '#core/platform/operation/worker.ts';
import { providerA } from '#disputes/providers/provider-a.ts';

export const tellProviderAWorker = defineWorker('outcomes/tell-provider-a', {
  summary: 'Tells provider_a what became of its alerts, 25 in one call',
  // The provider takes 25 at once, so a batch of the queue is one call. Few run at a time, so that a burst is not rejected.
  on: { queue: 'outcome-a', batchSize: 25, batchingWindowSeconds: 1, maximumConcurrency: 2 },
  timeoutSeconds: 45,
  memoryMegabytes: 256,
  grants: {
    table: ['BatchGetItem', 'PutItem'],
    secrets: [providerA.outcomes.secret, 'encryption'],
    send: ['outcome-a'],
  },
  variables: ['ALLOW_LOOPBACK_HTTP', 'OPERATIONS_MAIL'],
});
