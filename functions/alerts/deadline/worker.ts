import { defineWorker } from '../../core/worker.ts';

export const deadline = defineWorker({
  area: 'alerts',
  name: 'deadline',
  summary: 'Keeps one schedule per open alert, warns of its deadline and marks that it passed',
  on: { queue: 'deadline', batchSize: 10 },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
  grants: { table: ['GetItem', 'PutItem'], schedules: true },
});
