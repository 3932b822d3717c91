import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { LongText, MaskedText, Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { Maybe, MaybeHash } from '#payments/payments/request-schemas.ts';
import { followUpBySite, querying } from '../../follow-up/follow-up-declarations.ts';
import { TransactionIdPath } from '../../schemas.ts';

export const AuthBody = v.object({
  authtype: describeField(Text(40), 'How the payer is authenticated, such as SMS.'),
  authvalue: describeField(
    LongText(8000),
    'The code or password that the payer got, or what their issuer sent back; a secret, kept nowhere.',
  ),
  miscdata: describeField(
    Maybe(MaskedText(2048)),
    'More that the payer said, joined by `|`, such as name and card number. A card number is masked at once.',
  ),
  hash: MaybeHash,
});

export const sendAuthOperation = defineOperation('transactions/sendauth', {
  ...followUpBySite,
  ...querying,
  signable: true,
  summary: "Continue a payment with the payer's answer",
  description:
    'For a payment whose `next_action` asks the payer for something, such as the code of an SMS. A wrong code leaves it PEND as ' +
    'long as another may be tried. An unknown number is answered like a wrong hash.',
  method: 'POST',
  path: '/api/v1/index.php/{id}/sendauth',
  idempotent: true,
  params: TransactionIdPath,
  body: AuthBody,
  formats: ['multipart', 'form', 'json'],
  errors: ['hash_wrong', 'transaction_state_wrong'],
});
