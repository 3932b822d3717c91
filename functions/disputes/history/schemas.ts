import * as v from 'valibot';
import { MerchantIdField, MerchantIdReply, UpdatedAtReply } from '#core/kernel/schema/field-schemas.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { gatewayKinds } from '#payments/processors/ports/processors.ts';
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
  import_id: v.pipe(v.string(), v.description('The import.')),
  mid: MerchantIdReply,
  connection: v.pipe(v.string(), v.description('The connection that is read.')),
  kind: v.pipe(v.picklist(gatewayKinds), v.description('The kind of the connection.')),
  what: v.pipe(v.array(v.picklist(importParts)), v.description('What is imported.')),
  from: v.pipe(v.string(), v.description('The beginning of the imported time, inclusive (ISO 8601, UTC).')),
  to: v.pipe(v.string(), v.description('The end of the imported time, exclusive (ISO 8601, UTC).')),
  state: v.pipe(
    v.picklist(importStates),
    v.description('RUNNING until everything is read; a PAUSED or FAILED import can be resumed.'),
  ),
  percent: v.pipe(v.number(), v.description('How much of the time is read; 100 when the import is DONE.')),
  reading: v.pipe(v.picklist(['charges', 'disputes']), v.description('What is being read.')),
  trouble: v.pipe(
    v.nullable(v.string()),
    v.description('Why the import has failed, or why it waits for the processor; null if neither.'),
  ),
  counts: v.pipe(
    v.object({
      charges: v.pipe(v.number(), v.description('Charges that were read.')),
      disputes: v.pipe(v.number(), v.description('Disputes that the processor listed.')),
      orders: v.pipe(v.number(), v.description('Orders whose charge is known.')),
      refunds: v.pipe(v.number(), v.description('Orders whose refund was noted.')),
      unreadable: v.pipe(v.number(), v.description('Charges that could not be read and were left out.')),
    }),
    v.description('What was read so far.'),
  ),
  unreadable: v.pipe(
    v.array(v.string()),
    v.description('The first twenty charges that could not be read, each with its field and the reason.'),
  ),
  started_by: v.pipe(v.string(), v.description('The user who started it.')),
  started_at: v.pipe(v.string(), v.description('When it was started (ISO 8601, UTC).')),
  updated_at: UpdatedAtReply,
});
