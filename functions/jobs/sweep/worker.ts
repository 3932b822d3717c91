import { defineWorker } from '#core/platform/operation/worker.ts';
import { everyQueue } from '#disputes/providers/providers.ts';

export const sweep = defineWorker({
  area: 'jobs',
  name: 'sweep',
  summary: 'Finds whatever is owed at a slot and puts it into the queues again; owes replays of what failed',
  on: { queue: 'sweep', batchSize: 1 },
  timeoutSeconds: 60,
  memoryMegabytes: 256,
  grants: {
    table: ['GetItem', 'PutItem'],
    indexes: ['due'],
    // Whatever is owed may be late.
    send: everyQueue,
  },
});
