import * as v from 'valibot';
import { MidPath } from '#accounts/merchants/schemas.ts';
import { MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { connectionKinds } from '#payments/processors/ports/processors.ts';
import { ConnectionDto, ConnectionsVersion, wordsOfKind } from '../../schemas.ts';

export const connectionDetailsOperation = defineOperation('connections/connection-details', {
  summary: "Read a merchant's connections to its own processors",
  description: 'In order, with those kept only for refunds. Of credentials, only the account they belong to is shown.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/connections/details',
  auth: 'bearer',
  permission: 'settings:read',
  params: MidPath,
  reply: v.object({
    mid: MerchantIdReply,
    version: ConnectionsVersion,
    connections: describeField(
      v.array(
        v.object({
          ...ConnectionDto.entries,
          failing_since: nullableText(
            'Since when the daily look for its disputes has failed; null if the last one succeeded, or there was none yet.',
          ),
        }),
      ),
      'The merchant’s processors, in the order in which they are asked.',
    ),
    retired: describeField(v.array(ConnectionDto), 'Whether it is kept only for refunds of what it has taken.'),
    sign_ins: describeField(
      v.array(
        v.object({
          kind: describeField(v.picklist(connectionKinds), wordsOfKind),
          url: text('The page to open in the browser of the person who asks. It is good for an hour.'),
        }),
      ),
      'Processors where an account can be connected by signing in: the operator has an app there. The processor returns the browser to the ' +
        'dashboard with `state` and `code`; send both as `sign_in` of the new connection. Empty for programs.',
    ),
  }),
  errors: ['merchant_not_found'],
  grants: { table: ['BatchGetItem'], secrets: ['encryption', 'processor-apps'] },
});
