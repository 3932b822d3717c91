import { createHash } from 'node:crypto';
import { readAsset } from '#core/platform/http/asset-store.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { refusalPage } from '#core/platform/http/page.ts';
import { shopHeaders, shopPage } from '../../sandbox/sandbox-shop-page.ts';
import { sandboxShopOperation } from './operation.ts';

const integrity = (script: string): string => `sha384-${createHash('sha384').update(script).digest('base64')}`;

export const handler = endpoint(sandboxShopOperation, async () => shopPage(integrity(await readAsset('sdk.js'))), {
  headers: shopHeaders,
  errorPage: refusalPage,
});
