import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { importActions } from '../../import/history-import.ts';
import { ImportDto, ImportPath } from '../../schemas.ts';

export const ChangeImportBody = v.object({
  action: describeField(
    v.picklist(importActions, `must be one of ${importActions.join(', ')}`),
    '`pause` or `cancel` an import that has not ended; `resume` one that is paused or has failed.',
  ),
});

export const changeImportOperation = defineOperation('history/change-import', {
  summary: 'Pause, resume or cancel an import',
  description: 'What was read stays. A resumed import continues where it stopped.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/connections/{id}/import/{import_id}/change',
  auth: 'bearer',
  roles: ['manager'],
  permission: 'settings',
  params: ImportPath,
  body: ChangeImportBody,
  reply: ImportDto,
  errors: ['merchant_not_found', 'import_not_found', 'import_state_wrong'],
  grants: { table: ['GetItem', 'PutItem'], send: ['imports'] },
  audit: true,
  auditValues: { sent: { action: 'value' } },
});
