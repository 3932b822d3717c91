import { queueHandler } from '#core/platform/work/batch.ts';
import { ImportMessage } from '../../import/history-import-due.ts';
import { runImport } from '../../import/run-import-flow.ts';

export const handler = queueHandler(ImportMessage, ({ importId }) => runImport(importId));
