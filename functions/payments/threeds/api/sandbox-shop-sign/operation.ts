import * as v from 'valibot';
import { SiteIdField } from '#core/kernel/schema/field-schemas.ts';
import { describeField, text } from '#core/kernel/schema/field-words.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

export const sandboxShopSignOperation = defineOperation('threeds/sandbox-shop-sign', {
  auth: 'public',
  summary: 'Sign an order as that shop’s server',
  description:
    'The md5 of sid, timestamp, amount, currency and rcode, for create3ds and singletx. It says nothing of whether there is such a ' +
    'site. Merchants make it themselves, where nobody sees their rcode.',
  method: 'POST',
  onlyWhere: 'allowSandbox',
  path: '/sandbox/shop/sign',
  body: v.object({
    sid: SiteIdField,
    rcode: describeField(Text(200), 'The site’s secret. Never in a browser.'),
    amount: describeField(Text(20), 'A decimal with as many places as the currency has.'),
    currency: describeField(Text(3), 'ISO 4217, three letters.'),
  }),
  formats: ['form'],
  reply: v.object({
    timestamp: text('Seconds since 1970, the same as in the hash; good for 15 minutes.'),
    hash: text('Proves that you know the rcode; see “Errors and idempotency” and “Take payments” among the guides.'),
  }),
  errors: [],
  grants: {},
  variables: [],
});
