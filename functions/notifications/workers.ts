import { defineWorker } from '../core/worker.ts';

export const router = defineWorker({
  area: 'notifications',
  name: 'router',
  summary: 'Puts what the table owes into the queues',
  on: {
    stream: true,
    entities: ['DELIVERY', 'MAIL', 'ALERT', 'ENROLLMENT', 'DECISION', 'TRANSACTION', 'HOLD', 'OUTCOME'],
    batchSize: 100,
  },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
  grants: {
    send: ['delivery', 'mail', 'deadline', 'enrollment', 'rules', 'settlement', 'outcome-a', 'outcome-b'],
  },
});

export const deliver = defineWorker({
  area: 'notifications',
  name: 'deliver',
  summary: "Posts notifications to merchants' endpoints",
  on: { queue: 'delivery', batchSize: 10 },
  timeoutSeconds: 60,
  memoryMegabytes: 512,
  grants: { table: ['BatchGetItem', 'UpdateItem', 'PutItem'], secrets: ['encryption'], send: ['delivery'] },
  variables: ['ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});

export const sweep = defineWorker({
  area: 'notifications',
  name: 'sweep',
  summary: 'Finds whatever is owed at a slot and puts it into the queues again',
  on: { queue: 'sweep', batchSize: 1 },
  timeoutSeconds: 60,
  memoryMegabytes: 256,
  grants: {
    indexes: ['due'],
    send: ['sweep', 'delivery', 'mail', 'deadline', 'enrollment', 'rules', 'settlement', 'outcome-a', 'outcome-b'],
  },
});

export const sendMail = defineWorker({
  area: 'notifications',
  name: 'send-mail',
  summary: 'Sends e-mails',
  on: { queue: 'mail', batchSize: 10 },
  timeoutSeconds: 30,
  memoryMegabytes: 256,
  grants: { table: ['GetItem', 'UpdateItem'], mail: true },
  variables: ['MAIL_FROM'],
});

export const notificationWorkers = [router, deliver, sweep, sendMail] as const;
