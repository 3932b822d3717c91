import * as v from 'valibot';
import { Callable } from '#accounts/merchants/settings/url-schema.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { Maybe, RcodeField, referenceFields } from '#payments/payments/request-schemas.ts';
import { IdField } from '#payments/transactions/field-schemas.ts';
import { asking, followUpBySite, querying } from '#payments/transactions/follow-up/follow-up-declarations.ts';

const PostbackUrl = describeField(
  Maybe(v.pipe(AnyText, v.trim(), v.maxLength(2048, 'must have at most 2048 characters'), Callable)),
  'Where the result is posted; https.',
);

/** Every input may be in the query or in the body; the query wins. */
export const RequeryQuery = v.object({
  id: IdField,
  sid: describeField(Maybe(Id), 'The site.'),
  rcode: describeField(Maybe(RcodeField), 'The site’s secret. Never in a browser.'),
  reference: referenceFields.reference,
  postback_url: PostbackUrl,
});

export const RequeryBody = v.object({
  sid: describeField(Maybe(Id), 'The site.'),
  rcode: describeField(Maybe(RcodeField), 'The site’s secret. Never in a browser.'),
  reference: referenceFields.reference,
  postback_url: PostbackUrl,
});

export const requeryOperation = defineOperation('refunds/requery', {
  ...followUpBySite,
  ...querying,
  tag: 'transactions',
  summary: 'Ask the processor what became of a transaction',
  description:
    'A transaction that is final is answered as it is. `reference` and `postback_url`, where they are sent, replace those of the ' +
    'transaction. Send the rcode in the body: an address ends up in more logs. An unknown number is answered like a ' +
    'wrong rcode.',
  method: 'POST',
  path: '/api/v1/index.php/{id}/requery',
  params: RequeryQuery,
  body: RequeryBody,
  formats: ['form', 'json'],
  errors: ['rcode_wrong'],
  variables: [...asking.variables, 'EXTRA_WEBHOOK_PORTS'],
});
