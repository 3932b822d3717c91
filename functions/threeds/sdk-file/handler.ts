import { readAsset } from '../../core/asset-store.ts';
import { Refusal } from '../../core/errors.ts';
import { endpoint, WithHeaders } from '../../core/http.ts';
import { sdkHeaders } from '../sdk-files.ts';
import { sdkFile } from './operation.ts';

export const handler = endpoint(sdkFile, async ({ params: { file } }) => {
  const headers = sdkHeaders(file);
  if (!headers)
    throw new Refusal('page_not_found', 'file: the SDK has no such file; see integrity.json for its versions.');
  return new WithHeaders(await readAsset(file), headers);
});
