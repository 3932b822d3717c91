import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofFrame } from '../../declarations.ts';

export const frameScriptOperation = defineOperation('threeds/frame-script', {
  ...ofFrame,
  summary: 'The script of that frame',
  description: 'It posts what the issuer needs, and signals the SDK once the issuer is done.',
  method: 'GET',
  path: '/3ds/frame.js',
  reply: v.string(),
  replyType: 'text/javascript; charset=utf-8',
  assets: { 'frame.js': 'lib/sdk/three-ds/released/frame.js' },
  variables: [],
});
