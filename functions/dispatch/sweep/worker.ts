import { defineWorker } from '../../core/worker.ts';

export const sweep = defineWorker({
  area: 'dispatch',
  name: 'sweep',
  summary: 'Finds whatever is owed at a slot and puts it into the queues again; owes replays of what failed',
  on: { queue: 'sweep', batchSize: 1 },
  timeoutSeconds: 60,
  memoryMegabytes: 256,
  grants: {
    table: ['GetItem', 'PutItem'],
    indexes: ['due'],
    send: [
      'sweep',
      'delivery',
      'mail',
      'deadline',
      'enrollment',
      'rules',
      'settlement',
      'outcome-a',
      'outcome-b',
      'lookups',
      'chargebacks',
      'back-tests',
      'refunds',
      'inbox',
    ],
  },
});
