import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofFrame, threeDsVariables } from '../../declarations.ts';

export const challengeReturnOperation = defineOperation('threeds/challenge-return', {
  ...ofFrame,
  summary: 'Receive an issuer’s message that a challenge is done',
  description:
    'Posted by the issuer through the payer’s browser. The result it claims is not trusted: the 3DS server is ' +
    'asked. The answer is the same page whatever was posted.',
  method: 'POST',
  path: '/3ds/challenge',
  body: v.object({
    cres: describeField(
      v.optional(v.pipe(AnyText, v.maxLength(65_536, 'is too long')), ''),
      'The challenge response of EMV 3DS.',
    ),
    threeDSSessionData: describeField(
      v.optional(v.pipe(AnyText, v.maxLength(4096, 'is too long'))),
      'Given back as it was sent.',
    ),
  }),
  formats: ['form'],
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
  grants: { table: ['GetItem', 'PutItem'], secrets: ['encryption'] },
  variables: threeDsVariables,
});
