import { readAsset } from '../../core/asset-store.ts';
import { endpoint } from '../../core/http.ts';
import { scriptHeaders } from '../frame-pages.ts';
import { sandboxShopScript } from './operation.ts';

export const handler = endpoint(sandboxShopScript, () => readAsset('shop.js'), { headers: scriptHeaders });
