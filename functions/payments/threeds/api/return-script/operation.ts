import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofFrame } from '../../declarations.ts';

export const returnScriptOperation = defineOperation('threeds/return-script', {
  ...ofFrame,
  summary: 'The script of the page to which issuers come back',
  description: 'It tells the frame around it that the issuer is done, and nothing else.',
  method: 'GET',
  path: '/3ds/return.js',
  reply: v.string(),
  replyType: 'text/javascript; charset=utf-8',
  assets: { 'return.js': 'lib/sdk/three-ds/released/return.js' },
  variables: [],
});
