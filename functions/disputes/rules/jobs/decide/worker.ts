import { defineWorker } from '#core/platform/operation/worker.ts';

export const decideWorker = defineWorker('rules/decide', {
  summary: 'Asks the rules about new alerts, does what they decide and tells the site',
  on: { queue: 'rules', batchSize: 5, maximumConcurrency: 50 },
  timeoutSeconds: 60,
  memoryMegabytes: 512,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    indexes: ['list1', 'list2', 'list2f', 'list3f'],
    secrets: ['encryption'],
    send: ['rules'],
  },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});
