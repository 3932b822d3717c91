import { endpoint } from '../../core/http.ts';
import { readAsset } from '../asset-store.ts';
import { openApi } from './operation.ts';

export const handler = endpoint(openApi, () => readAsset('openapi.json'));
