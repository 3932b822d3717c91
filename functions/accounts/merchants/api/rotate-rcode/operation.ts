import * as v from 'valibot';
import { text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { rotation } from '../../declarations.ts';
import { previous } from '../../schemas.ts';

export const RcodeRotated = v.object({
  rcode: text('The site’s secret for its own calls. Shown once.'),
  ...previous,
});

export const rotateRcodeOperation = defineOperation('merchants/rotate-rcode', {
  ...rotation,
  permission: 'settings:secrets',
  siteKeys: 'named',
  summary: 'Give a site a new rcode',
  path: '/api/v3/site/{sid}/rcode/rotate',
  roles: ['developer', 'manager'],
  reply: RcodeRotated,
  grants: { table: ['GetItem', 'PutItem', 'DeleteItem'], secrets: ['encryption'] },
  diverts: 'secret',
});
