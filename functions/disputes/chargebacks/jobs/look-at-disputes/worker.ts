import { defineWorker } from '#core/platform/operation/worker.ts';

export const lookAtDisputesWorker = defineWorker('chargebacks/look-at-disputes', {
  summary: 'Asks processors about disputes, and has payments, orders and alerts know of chargebacks',
  on: { queue: 'chargebacks', batchSize: 5 },
  timeoutSeconds: 60,
  memoryMegabytes: 512,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
    indexes: ['list1', 'list2', 'list2f', 'list3', 'list3f'],
    secrets: ['encryption'],
    send: ['chargebacks', 'chargeback-rules'],
  },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});
