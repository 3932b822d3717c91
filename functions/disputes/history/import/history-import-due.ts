import * as v from 'valibot';
import { defineDue } from '#core/platform/work/due.ts';

/** Continue this import. */
export const ImportMessage = v.object({ importId: v.string() });

/** An import runs. Whatever starts or continues it sends the message. */
export const historyImportDue = defineDue({
  kind: 'IMPORT',
  queue: 'imports',
  message: ImportMessage,
  swept: ({ id }) => ({ importId: String(id) }),
});
