import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofIssuer } from '../../sandbox/sandbox-declarations.ts';

export const sandboxMethodOperation = defineOperation('threeds/sandbox-method', {
  ...ofIssuer,
  summary: 'The 3DS method of the sandbox’s issuers',
  description: 'Comes back immediately; with `silent`, never.',
  method: 'POST',
  onlyWhere: 'allowSandbox',
  path: '/sandbox/acs/method',
  params: v.object({
    silent: describeField(v.optional(v.picklist(['1'], 'must be 1')), 'Whether the sandbox’s issuer answers nothing.'),
  }),
  body: v.object({
    threeDSMethodData: v.pipe(
      AnyText,
      v.maxLength(4096, 'is too long'),
      v.description('From the 3DS method, as EMV 3DS has it.'),
    ),
  }),
  formats: ['form'],
  grants: {},
});
