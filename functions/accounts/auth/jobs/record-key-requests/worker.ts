import { defineWorker } from '#core/platform/operation/worker.ts';

export const recordKeyRequestsWorker = defineWorker('auth/record-key-requests', {
  summary: 'Keeps the calls that API keys made, from the gateway’s access log',
  // Usernames have no colon, so only keys have such a subject.
  on: { accessLog: 'key:*' },
  timeoutSeconds: 60,
  memoryMegabytes: 256,
  grants: { table: ['PutItem'] },
});
