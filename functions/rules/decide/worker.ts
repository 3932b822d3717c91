import { defineWorker } from '../../core/worker.ts';

export const decide = defineWorker({
  area: 'rules',
  name: 'decide',
  summary: 'Asks the rules about new alerts, does what they decide and tells the site',
  on: { queue: 'rules', batchSize: 5 },
  timeoutSeconds: 60,
  memoryMegabytes: 512,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['list1', 'list3f'],
    secrets: ['encryption'],
    send: ['rules'],
  },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP'],
});
