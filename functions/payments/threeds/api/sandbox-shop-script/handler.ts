import { readAsset } from '#core/platform/http/asset-store.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { scriptHeaders } from '../../payer/frame-pages.ts';
import { sandboxShopScriptOperation } from './operation.ts';

export const handler = endpoint(sandboxShopScriptOperation, () => readAsset('shop.js'), { headers: scriptHeaders });
