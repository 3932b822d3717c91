import { readAsset } from '#core/platform/http/asset-store.ts';
import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { sdkHeaders } from '../../payer/sdk-files.ts';
import { sdkFileOperation } from './operation.ts';

export const handler = endpoint(sdkFileOperation, async ({ params: { file } }) => {
  const headers = sdkHeaders(file);
  if (!headers)
    throw new Refusal('page_not_found', 'file: the SDK has no such file; see integrity.json for its versions.');
  return new WithHeaders(await readAsset(file), headers);
});
