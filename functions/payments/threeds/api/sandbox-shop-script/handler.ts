import { readAsset } from '#core/platform/http/asset-store.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { scriptHeaders } from '../../payer/frame-pages.ts';
import { sandboxShopScript } from './operation.ts';

export const handler = endpoint(sandboxShopScript, () => readAsset('shop.js'), { headers: scriptHeaders });
