import { defineWorker } from '#core/platform/operation/worker.ts';
import { sweptQueues } from '../due-routing.ts';

export const sweepWorker = defineWorker('jobs/sweep', {
  summary:
    'Finds whatever is due at a slot and sends its messages again; requests replays of notifications that failed',
  on: { queue: 'sweep', batchSize: 1 },
  timeoutSeconds: 60,
  memoryMegabytes: 256,
  grants: {
    table: ['GetItem', 'PutItem'],
    indexes: ['due'],
    send: ['sweep', ...sweptQueues],
  },
});
