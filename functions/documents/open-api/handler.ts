import { readAsset } from '../../core/asset-store.ts';
import { endpoint } from '../../core/http.ts';
import { openApi } from './operation.ts';

export const handler = endpoint(openApi, () => readAsset('openapi.json'));
