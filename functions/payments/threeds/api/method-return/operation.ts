import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofFrame } from '../../declarations.ts';

export const methodReturnOperation = defineOperation('threeds/method-return', {
  ...ofFrame,
  summary: 'Receive an issuer’s message that its 3DS method is done',
  description: 'Posted by the issuer through the payer’s browser. The answer is the same page whatever was posted.',
  method: 'POST',
  path: '/3ds/method',
  body: v.object({
    threeDSMethodData: describeField(
      v.optional(v.pipe(AnyText, v.maxLength(4096, 'is too long'))),
      'From the 3DS method, as EMV 3DS has it.',
    ),
  }),
  formats: ['form'],
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
});
