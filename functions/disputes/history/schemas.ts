import * as v from 'valibot';
import { MerchantIdField, MerchantIdReply, UpdatedAtReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { connectionKinds } from '#payments/processors/ports/processors.ts';
import { importParts, importStates } from './import/history-import.ts';

const ConnectionId = v.pipe(AnyText, v.maxLength(40), v.description('The connection.'));

export const ConnectionOfImport = v.object({ mid: MerchantIdField, id: ConnectionId });

export const ImportPath = v.object({
  mid: MerchantIdField,
  id: ConnectionId,
  import_id: v.pipe(AnyText, v.maxLength(64), v.description('The import, or `latest`.')),
});

/** An import on the wire. */
export const ImportDto = v.object({
  import_id: text('The import.'),
  mid: MerchantIdReply,
  connection: text('The connection that is read.'),
  kind: describeField(v.picklist(connectionKinds), 'The kind of the connection.'),
  what: describeField(v.array(v.picklist(importParts)), 'What is imported.'),
  from: text('The beginning of the imported time, inclusive (ISO 8601, UTC).'),
  to: text('The end of the imported time, exclusive (ISO 8601, UTC).'),
  state: describeField(
    v.picklist(importStates),
    'RUNNING until everything is read; a PAUSED or FAILED import can be resumed.',
  ),
  percent: count('How much of the time is read; 100 when the import is DONE.'),
  reading: describeField(v.picklist(['charges', 'disputes']), 'What is being read.'),
  trouble: nullableText('Why the import has failed, or why it waits for the processor; null if neither.'),
  counts: describeField(
    v.object({
      charges: count('Charges that were read.'),
      disputes: count('Disputes that the processor listed.'),
      orders: count('Orders whose charge is known.'),
      refunds: count('Orders whose refund was noted.'),
      unreadable: count('Charges and disputes that could not be read and were left out.'),
    }),
    'What was read so far.',
  ),
  unreadable: describeField(
    v.array(v.string()),
    'The first twenty charges that could not be read, each with its field and the reason.',
  ),
  started_by: text('The user who started it.'),
  started_at: text('When it was started (ISO 8601, UTC).'),
  updated_at: UpdatedAtReply,
});
