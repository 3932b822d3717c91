import { defineOperation } from '#core/platform/operation/operation.ts';
import { rdr, rdrBody } from '#disputes/providers/rdr.ts';
import { intake } from '../../declarations.ts';

export const receiveRdrOperation = defineOperation('alerts/receive-rdr', {
  ...intake,
  summary: "Receive a network's decision to refund, or its withdrawal",
  path: `/api/v3/providers/${rdr.name}/alerts`,
  body: rdrBody(),
  errors: ['signature_invalid'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], secrets: [rdr.secret, 'encryption'] },
});
