import { defineOperation } from '#core/platform/operation/operation.ts';
import { sdkAssets, sdkVersions } from '../../payer/sdk-files.ts';
import { ofIssuer } from '../../sandbox/sandbox-declarations.ts';

export const sandboxShopOperation = defineOperation('threeds/sandbox-shop', {
  ...ofIssuer,
  summary: 'A small shop, to try native 3-D Secure',
  description:
    'Its page authenticates with the SDK and pays with singletx. On the local stack it knows the sites of the demo.',
  method: 'GET',
  onlyWhere: 'allowSandbox',
  path: '/sandbox/shop',
  assets: { 'sdk.js': sdkAssets[`${sdkVersions[0]}.js`] ?? '' },
  errors: [],
  grants: {},
  variables: [],
});
