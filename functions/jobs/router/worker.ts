import { defineWorker } from '#core/platform/operation/worker.ts';
import { newOnlyEntities, wakingEntities, wakingQueues } from '../due-routing.ts';

export const routerWorker = defineWorker('jobs/router', {
  summary: 'Sends the messages that writes of the table call for',
  on: { stream: true, entities: wakingEntities, newOnly: newOnlyEntities, batchSize: 100 },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
  grants: { send: wakingQueues },
});
