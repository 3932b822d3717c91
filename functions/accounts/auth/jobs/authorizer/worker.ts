import { defineWorker } from '#core/platform/operation/worker.ts';

export const authorizerWorker = defineWorker('auth/authorizer', {
  summary: 'Tells the gateway whose Bearer token a call carries',
  on: { authorizer: true },
  timeoutSeconds: 10,
  memoryMegabytes: 512,
  grants: {
    table: ['BatchGetItem', 'GetItem', 'UpdateItem'],
    secrets: ['jwt'],
  },
});
