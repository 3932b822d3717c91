import * as v from 'valibot';
import { Id, Text } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

export const sandboxShopSign = defineOperation({
  area: 'threeds',
  auth: 'public',
  name: 'sandbox-shop-sign',
  summary: 'Sign an order as that shop’s server',
  description:
    'The md5 of sid, timestamp, amount, currency and rcode, for create3ds and singletx. It says nothing of whether there is such a ' +
    'site. Merchants make it themselves, where nobody sees their rcode.',
  method: 'POST',
  onlyWhere: 'allowSandbox',
  path: '/sandbox/shop/sign',
  body: v.object({ sid: Id, rcode: Text(200), amount: Text(20), currency: Text(3) }),
  formats: ['form'],
  reply: v.object({ timestamp: v.string(), hash: v.string() }),
  errors: [],
  grants: {},
  variables: [],
});
