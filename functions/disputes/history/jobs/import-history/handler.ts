import * as v from 'valibot';
import { queueHandler } from '#core/platform/work/batch.ts';
import { OrderSourceMessage } from '#payments/orders/source/order-source-due.ts';
import { ImportMessage } from '../../import/history-import-due.ts';
import { runImport } from '../../import/run-import-flow.ts';
import { runOrderSource } from '../../orders/run-order-source-flow.ts';

export const handler = queueHandler(v.union([ImportMessage, OrderSourceMessage]), (message) =>
  'importId' in message ? runImport(message.importId) : runOrderSource(message.orderSource, message.slot),
);
