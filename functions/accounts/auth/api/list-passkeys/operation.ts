import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { PasskeyDto } from '../../passkeys/passkey-schemas.ts';

export const listPasskeysOperation = defineOperation('auth/list-passkeys', {
  summary: 'List your passkeys',
  description: 'Returns the passkeys in the order in which they were added.',
  method: 'POST',
  path: '/api/v3/session/passkey/list',
  auth: 'bearer',
  permission: 'person',
  body: v.object({}),
  reply: v.object({ list: describeField(v.array(PasskeyDto), 'The passkeys.') }),
  errors: [],
  grants: { table: ['GetItem'] },
});
