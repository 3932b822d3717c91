import { readAsset } from '../../core/asset-store.ts';
import { endpoint } from '../../core/http.ts';
import { scriptHeaders } from '../frame-pages.ts';
import { frameScript } from './operation.ts';

export const handler = endpoint(frameScript, () => readAsset('frame.js'), { headers: scriptHeaders });
