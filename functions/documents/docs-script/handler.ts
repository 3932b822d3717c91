import { readAsset } from '../../core/asset-store.ts';
import { endpoint } from '../../core/http.ts';
import { docsScript } from './operation.ts';

export const handler = endpoint(docsScript, () => readAsset('redoc.js'), {
  headers: { 'cache-control': 'public, max-age=86400' },
});
