import { defineWorker } from '#core/platform/operation/worker.ts';
import { letterFontFiles } from '#disputes/chargebacks/letter/letter-font-files.ts';

export const sendMailWorker = defineWorker('jobs/send-mail', {
  summary: 'Sends e-mails, and shows them on devices; makes the reports of a month',
  // SES takes 14 e-mails a second of an account that has not asked for more. Five reports at once are drawn well within the time.
  on: { queue: 'mail', batchSize: 5, maximumConcurrency: 2 },
  timeoutSeconds: 30,
  // A report is drawn as a PDF.
  memoryMegabytes: 512,
  grants: {
    table: ['GetItem', 'Query', 'UpdateItem', 'PutItem'],
    indexes: ['list2'],
    secrets: ['encryption'],
    send: ['mail'],
    mail: true,
  },
  assets: letterFontFiles,
  variables: ['MAIL_FROM', 'DASHBOARD_URL', 'ALLOW_LOOPBACK_HTTP'],
});
