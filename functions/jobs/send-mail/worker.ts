import { defineWorker } from '#core/platform/operation/worker.ts';

export const sendMailWorker = defineWorker('jobs/send-mail', {
  summary: 'Sends e-mails, and shows them on devices',
  // SES takes 14 e-mails a second of an account that has not asked for more.
  on: { queue: 'mail', batchSize: 10, maximumConcurrency: 2 },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
  grants: {
    table: ['GetItem', 'UpdateItem', 'PutItem'],
    indexes: ['list2'],
    secrets: ['encryption'],
    send: ['mail'],
    mail: true,
  },
  variables: ['MAIL_FROM', 'DASHBOARD_URL', 'ALLOW_LOOPBACK_HTTP'],
});
