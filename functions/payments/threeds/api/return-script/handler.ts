import { readAsset } from '#core/platform/http/asset-store.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { scriptHeaders } from '../../payer/frame-pages.ts';
import { returnScriptOperation } from './operation.ts';

export const handler = endpoint(returnScriptOperation, () => readAsset('return.js'), { headers: scriptHeaders });
