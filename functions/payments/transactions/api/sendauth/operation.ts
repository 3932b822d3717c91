import * as v from 'valibot';
import { Text } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { Hash, Maybe } from '#payments/payments/request-schemas.ts';
import { bySite, querying } from '../../follow-up/follow-up-declarations.ts';
import { IdPath } from '../../schemas.ts';

export const AuthBody = v.object({
  authtype: Text(40),
  authvalue: v.pipe(
    Text(8000),
    v.description('The code or password that the payer got, or what their issuer sent back; a secret, kept nowhere.'),
  ),
  miscdata: Maybe(Text(2048)),
  hash: Hash,
});

export const sendAuth = defineOperation({
  ...bySite,
  ...querying,
  name: 'sendauth',
  summary: "Continue a payment with the payer's answer",
  description:
    'For a payment whose `next_action` asks the payer for something, such as the code of an SMS. A wrong code leaves it PEND as ' +
    'long as another may be tried. An unknown number is answered like a wrong hash.',
  method: 'POST',
  path: '/api/v1/index.php/{id}/sendauth',
  params: IdPath,
  body: AuthBody,
  formats: ['multipart', 'form', 'json'],
  errors: ['hash_wrong', 'transaction_state_wrong'],
});
