import * as v from 'valibot';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofFrame } from '../../declarations.ts';
import { sdkAssets } from '../../payer/sdk-files.ts';

export const sdkFileOperation = defineOperation('threeds/sdk-file', {
  ...ofFrame,
  summary: 'A file of the 3-D Secure SDK',
  description:
    '`v1.mjs` (ES module), `v1.js` (plain script, `forewarn`), `v1.d.ts` (types), `integrity.json` (hashes for `integrity=`), ' +
    '`device.js` (the device snippet), ' +
    'and every version for good, such as `1.0.0.mjs`. Any page may load them.',
  method: 'GET',
  path: '/sdk/3ds/{file}',
  params: v.object({
    file: v.pipe(AnyText, v.regex(/^[\w.]{1,40}$/, 'is not a file of the SDK'), v.description('The name of the file.')),
  }),
  reply: v.string(),
  replyType: 'text/plain; charset=utf-8',
  otherReplyTypes: ['text/javascript', 'application/json'],
  assets: sdkAssets,
  errors: ['page_not_found'],
  variables: [],
});
