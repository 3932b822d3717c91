import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { ConnectionPath } from '../schemas.ts';

export const ConnectionTest = v.object({
  id: v.string(),
  works: v.boolean(),
  problem: v.pipe(
    v.nullable(v.picklist(['credentials', 'unavailable'])),
    v.description('`credentials`: the key is wrong or lacks a right; `unavailable`: nobody answered, which may pass.'),
  ),
  missing: v.pipe(v.array(v.string()), v.description("Rights that the key lacks, in the processor's own words.")),
  msg: v.string(),
});

export const testConnection = defineOperation({
  area: 'connections',
  name: 'test-connection',
  summary: 'Try whether a connection works',
  description:
    'Asks the processor for what finding and refunding need, in ways that change nothing, and says in words what is wrong. That ' +
    'something may be refunded is tried with a charge that does not exist.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/connections/{id}/test',
  auth: 'bearer',
  params: ConnectionPath,
  reply: ConnectionTest,
  errors: ['merchant_not_found', 'connection_not_found'],
  grants: { table: ['BatchGetItem'], secrets: ['encryption'] },
  variables: ['ALLOW_SANDBOX'],
});
