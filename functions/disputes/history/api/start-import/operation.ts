import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { FromTime } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { importParts } from '../../import/history-import.ts';
import { ConnectionOfImport, ImportDto } from '../../schemas.ts';

export const StartImportBody = v.object({
  from: describeField(
    v.optional(FromTime),
    'The beginning, inclusive (ISO 8601); absent: a year ago. At most three years ago.',
  ),
  to: describeField(v.optional(FromTime), 'The end, exclusive (ISO 8601); absent: now.'),
  what: describeField(
    v.optional(
      v.pipe(
        v.array(v.picklist(importParts, `must be some of ${importParts.join(', ')}`), 'must be a list'),
        v.minLength(1, 'must name at least one part'),
        v.transform((parts) => [...new Set(parts)]),
      ),
      [...importParts],
    ),
    'What to import: charges, refunds, disputes; absent: all.',
  ),
});

export const startImportOperation = defineOperation('history/start-import', {
  summary: 'Import the history of a connection',
  description:
    'Reads the charges, refunds and disputes that the connection had before Forewarn. A worker does it in the background; the import’s ' +
    'details show its progress. Charges are linked to the orders that they name, disputes become known chargebacks of merchants with ' +
    '`cbm`, and whole months become figures of the programmes. One import of a connection runs at a time. Repeating an import ' +
    'duplicates nothing.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/connections/{id}/import',
  auth: 'bearer',
  roles: ['manager'],
  permission: 'settings',
  params: ConnectionOfImport,
  body: StartImportBody,
  reply: ImportDto,
  errors: ['merchant_not_found', 'connection_not_found', 'import_unfinished'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'], send: ['imports'] },
  audit: true,
  auditValues: { sent: { from: 'value', to: 'value', what: 'value' } },
});
