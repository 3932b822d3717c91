import * as v from 'valibot';
import { MidPath } from '#accounts/merchants/schemas.ts';
import { EnabledField, MerchantIdReply, StatusOkField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Flag, Id, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AtMost, allowsCardNumbers, PassedOnText, Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { connectionKinds } from '#payments/processors/ports/processors.ts';
import { connectionCredentials } from '#payments/processors/registered/credential-words.ts';
import { maxConnections } from '../../connection.ts';
import { ConnectionDto, ConnectionsVersion, wordsOfKind } from '../../schemas.ts';

const maxSites = 80;

const Sids = v.pipe(
  v.optional(
    v.nullable(
      v.pipe(v.array(Id, 'must be a list of site ids'), v.maxLength(maxSites, `must have at most ${maxSites} entries`)),
    ),
    null,
  ),
  v.transform((sids) => (sids === null || sids.length === 0 ? null : [...new Set(sids)])),
  v.description('Only alerts of these sites are looked for there; absent, null or empty: of all alert sites.'),
);

const SignInBody = v.object({
  state: describeField(
    PassedOnText(500, 'the processor'),
    '`state` from the address to which the processor returned the browser.',
  ),
  code: describeField(PassedOnText(500, 'the processor'), '`code` from the same address.'),
});

const ConnectionBody = v.object({
  id: describeField(v.optional(Text(40)), 'Its identifier.'),
  kind: describeField(v.picklist(connectionKinds, `must be one of ${connectionKinds.join(', ')}`), wordsOfKind),
  label: describeField(Text(100), 'Its name, for people.'),
  credentials: describeField(
    v.optional(
      v.pipe(v.record(v.string(), v.unknown(), 'must be an object'), AtMost(20_000), allowsCardNumbers('sealed')),
    ),
    'What the other side has given you to sign in with; never shown again.',
  ),
  sign_in: describeField(
    v.optional(SignInBody),
    'In place of credentials: a sign-in at the processor that the same person has begun with `sign_ins` of `…/details`.',
  ),
  sids: Sids,
  active: v.optional(EnabledField, true),
});

export const ConnectionsBody = v.pipe(
  v.object({
    connections: v.pipe(
      v.array(ConnectionBody, 'must be a list of connections'),
      v.maxLength(maxConnections, `must have at most ${maxConnections} connections`),
      v.description('The merchant’s processors, in the order in which they are asked.'),
    ),
    keep_others: describeField(
      v.optional(Flag),
      '`true`: connections that are not named stay as they are, and new ones come after them. So it is without `version`.',
    ),
    version: describeField(
      v.optional(WholeNumber(0, 1_000_000_000)),
      'The `version` that you have read: those that you do not name are removed. If the connections have changed since, the reply is 409.',
    ),
  }),
  v.forward(
    v.check(
      ({ connections }) => new Set(connections.flatMap(({ sids }) => sids ?? [])).size <= maxSites,
      `must name at most ${maxSites} sites in all`,
    ),
    ['connections'],
  ),
);

export const setConnectionsOperation = defineOperation('connections/set-connections', {
  summary: "Set a merchant's connections to its own processors",
  description:
    'Adds and changes those that are named; with the `version` that you have read, it removes the others. The transaction of an alert is looked for at every active one for its site. Credentials ' +
    `${connectionCredentials}; the sandbox has none. The secret of \`http\` is generated if you do not name one. ` +
    'They are kept encrypted and never shown again. A connection with the `id` of one ' +
    'that is there may leave them out, or bring new ones for it. Where the operator has an app at the processor, `sign_in` replaces them. One that is left out is kept for refunds that were begun there.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/connections',
  roles: ['manager'],
  auth: 'bearer',
  permission: 'settings:money',
  params: MidPath,
  body: ConnectionsBody,
  reply: v.object({
    status: StatusOkField,
    mid: MerchantIdReply,
    version: ConnectionsVersion,
    connections: describeField(
      v.array(
        v.object({
          ...ConnectionDto.entries,
          secret: describeField(
            v.exactOptional(v.string()),
            'The secret that signs the calls to your own service, if this call has generated it. It is not shown again.',
          ),
        }),
      ),
      'The merchant’s processors, in the order in which they are asked.',
    ),
  }),
  errors: ['merchant_not_found', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'], secrets: ['encryption', 'processor-apps'] },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
  diverts: 'money',
  auditValues: {
    changed: { 'connections.*.kind': 'value', 'connections.*.active': 'value', 'connections.*.sids': 'value' },
  },
});
