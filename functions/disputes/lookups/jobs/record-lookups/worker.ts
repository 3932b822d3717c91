import { defineWorker } from '#core/platform/operation/worker.ts';

export const recordLookupsWorker = defineWorker('lookups/record-lookups', {
  summary: "Writes down providers' look-ups, and what came of them; finds the orders of alerts",
  on: { queue: 'lookups', batchSize: 10 },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['list3'],
  },
});
