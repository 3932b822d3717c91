import { defineWorker } from '#core/platform/operation/worker.ts';
import { letterFontFiles } from '../../letter/letter-font-files.ts';

export const decideChargebacksWorker = defineWorker('chargebacks/decide-chargebacks', {
  summary: 'Asks the rules about chargebacks: submits their evidence, accepts them, or assigns them to users',
  // Processors limit how fast they may be asked.
  on: { queue: 'chargeback-rules', batchSize: 1, maximumConcurrency: 5 },
  // Less than the lease of a submission, so that none is still under way when the next one may begin.
  timeoutSeconds: 50,
  memoryMegabytes: 1024,
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
    indexes: ['list2', 'list2f'],
    secrets: ['encryption'],
    objects: ['GetObject evidence'],
    send: ['chargebacks', 'chargeback-rules', 'deadline'],
  },
  assets: letterFontFiles,
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});
