import * as v from 'valibot';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofClient } from '../../declarations.ts';
import { frameKinds } from '../../payer/replies.ts';
import { ClientToken } from '../../schemas.ts';

export const frameDataOperation = defineOperation('threeds/frame-data', {
  ...ofClient,
  summary: 'Get what our frame posts to the issuer',
  description:
    'For the page /3ds/frame only, which is inside the payer’s page: it posts `value` as `field` to `url` if its parent is ' +
    '`page_origin`. A challenge has to begin within 30 seconds of the issuer’s answer.',
  path: '/api/v3/3ds/{id}/frame',
  body: v.object({
    client_token: ClientToken,
    kind: describeField(v.picklist(frameKinds, `must be one of ${frameKinds.join(', ')}`), 'What the frame posts.'),
  }),
  reply: v.object({
    url: text('Where to go on.'),
    field: text('The name under which it is posted.'),
    value: text('The value.'),
    page_origin: text('The origin of the payer’s page.'),
  }),
  errors: ['client_token_wrong', 'page_origin_wrong', 'authentication_state_wrong'],
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
  variables: ['ALLOW_LOOPBACK_HTTP'],
});
