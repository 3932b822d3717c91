import { defineOperation } from '../../core/operation.ts';
import { intake } from '../declarations.ts';
import { RdrBody } from '../intake/rdr.ts';

export const receiveRdr = defineOperation({
  ...intake,
  name: 'receive-rdr',
  summary: "Take a network's decision to refund, or its end",
  path: '/api/v3/providers/rdr/alerts',
  body: RdrBody,
  errors: ['signature_invalid', 'alert_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], secrets: ['rdr'] },
});
