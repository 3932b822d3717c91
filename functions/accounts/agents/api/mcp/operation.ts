import * as v from 'valibot';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';
import { AtMost, allowsCardNumbers, CardFreeValue, Text } from '#core/kernel/schema/text.ts';
import { defineOperation, roles } from '#core/platform/operation/operation.ts';
import { pageAssets } from '../../resources.ts';

const id = v.pipe(
  v.optional(v.union([v.number(), Text(100)], 'must be a number or text')),
  v.description('The id of the request, which its response repeats. Notifications have none.'),
  allowsCardNumbers('a number of the client, which is not stored'),
);

/** One message of the protocol, JSON-RPC 2.0. */
export const McpMessage = v.looseObject({
  jsonrpc: describeField(v.literal('2.0', 'must be 2.0'), 'The version of JSON-RPC: 2.0.'),
  method: describeField(Text(100), 'Such as `initialize`, `tools/list` or `tools/call`.'),
  id,
  params: describeField(
    v.optional(v.pipe(v.record(v.string(), v.unknown(), 'must be an object'), CardFreeValue(), AtMost(100_000))),
    'The parameters of the method. Card numbers are refused.',
  ),
});

export const mcpOperation = defineOperation('agents/mcp', {
  summary: 'Serve agents over the Model Context Protocol',
  description:
    'The streamable HTTP transport, stateless, with JSON responses. The tools are operations of this API; a caller sees those that the token or API key ' +
    'allows. Tools only read, apart from `confirm`, which carries out what `propose` has described.',
  method: 'POST',
  path: '/mcp',
  auth: 'bearer',
  permission: 'alerts:read',
  siteKeys: 'found',
  // Each operation decides which roles may use it.
  roles,
  body: McpMessage,
  reply: v.looseObject({
    jsonrpc: describeField(v.literal('2.0'), 'The version of JSON-RPC: 2.0.'),
    id: describeField(
      v.optional(v.union([v.number(), v.string()])),
      'The id of the request. Absent in errors of messages that have none.',
    ),
    result: describeField(
      v.optional(v.looseObject({})),
      'The result of the method. Of a tool: `content`, and `isError` if it was refused.',
    ),
    error: describeField(
      v.optional(
        v.looseObject({
          code: count('The code of JSON-RPC.'),
          message: text('What is wrong.'),
        }),
      ),
      'Why there is no result.',
    ),
  }),
  otherReplies: { 202: describeField(v.strictObject({}), 'A notification was accepted. It has no response.') },
  errors: [],
  grants: { table: ['PutItem', 'UpdateItem'], secrets: ['encryption'] },
  variables: ['ALLOW_LOOPBACK_HTTP'],
  assets: { ...pageAssets, 'tools.json': 'docs/tools.json', 'release.json': 'package.json' },
  memoryMegabytes: 512,
});
