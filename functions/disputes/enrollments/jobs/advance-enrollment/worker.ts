import { defineWorker } from '#core/platform/operation/worker.ts';

export const advanceEnrollmentWorker = defineWorker('enrollments/advance-enrollment', {
  summary: 'Lets the items of an enrollment request become what the provider makes of them',
  on: { queue: 'enrollment', batchSize: 10 },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'], indexes: ['list1'] },
});
