import { readAsset } from '../../core/asset-store.ts';
import { endpoint } from '../../core/http.ts';
import { scriptHeaders } from '../frame-pages.ts';
import { returnScript } from './operation.ts';

export const handler = endpoint(returnScript, () => readAsset('return.js'), { headers: scriptHeaders });
