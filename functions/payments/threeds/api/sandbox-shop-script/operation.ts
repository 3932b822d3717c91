import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';

export const sandboxShopScriptOperation = defineOperation('threeds/sandbox-shop-script', {
  auth: 'public',
  summary: 'The script of that shop',
  description: 'It plays the merchant’s page, and shows what the merchant’s server would call.',
  method: 'GET',
  onlyWhere: 'allowSandbox',
  path: '/sandbox/shop.js',
  reply: v.string(),
  replyType: 'text/javascript; charset=utf-8',
  assets: { 'shop.js': 'lib/sdk/three-ds/released/shop.js' },
  errors: [],
  grants: {},
  variables: [],
});
