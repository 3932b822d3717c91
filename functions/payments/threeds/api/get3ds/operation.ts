import * as v from 'valibot';
import { describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { MaybeHash } from '#payments/payments/order/hash-schema.ts';
import { knownFields } from '../../authentication/authentication-dto-schemas.ts';
import { ofSite } from '../../declarations.ts';

export const Get3dsReply = v.object({
  ...knownFields,
  authenticationValue: nullableText(
    'For 24 hours, and until a payment was made with it; only where it proves something.',
  ),
  vrfy: text(
    'sha256 of `sid;rcode;authentication_id;outcome;amount;currency;transStatus`, the amount with all decimals of its ' +
      'currency, what is null as empty text.',
  ),
});

export const get3dsOperation = defineOperation('threeds/get3ds', {
  ...ofSite,
  signable: true,
  summary: 'Read the result of an authentication',
  description:
    '`hash` is the md5 of sid, authentication_id and rcode. Everything that is known about it, even if the payer never came ' +
    'back. Do not call it from a browser.',
  path: '/api/v1/index.php/{id}/get3ds',
  body: v.object({
    authentication_id: describeField(Id, 'The authentication by 3-D Secure.'),
    hash: MaybeHash,
  }),
  reply: Get3dsReply,
  errors: ['hash_wrong', 'authentication_not_found'],
  grants: { table: ['BatchGetItem', 'GetItem', 'PutItem'], secrets: ['encryption'] },
});
