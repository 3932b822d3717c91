import { readAsset } from '#core/platform/http/asset-store.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { scriptHeaders } from '../../payer/frame-pages.ts';
import { returnScript } from './operation.ts';

export const handler = endpoint(returnScript, () => readAsset('return.js'), { headers: scriptHeaders });
