import { defineWorker } from '../../core/worker.ts';

export const sendMail = defineWorker({
  area: 'dispatch',
  name: 'send-mail',
  summary: 'Sends e-mails',
  on: { queue: 'mail', batchSize: 10 },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
  grants: { table: ['GetItem', 'UpdateItem'], mail: true },
  variables: ['MAIL_FROM'],
});
