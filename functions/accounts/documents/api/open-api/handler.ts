import { readAsset } from '#core/platform/http/asset-store.ts';
import { endpoint, NotModified, WithHeaders } from '#core/platform/http/http.ts';
import { withCodeSamples } from '../../code-samples.ts';
import { hasTag, takesGzip } from '../../conditional.ts';
import { readDocument } from '../../document-store.ts';
import { openApiOperation } from './operation.ts';

export const handler = endpoint(openApiOperation, async ({ headers }) => {
  const { text, compressed, tag } = await readDocument('openapi.json', async () =>
    withCodeSamples(await readAsset('openapi.json')),
  );
  const sent = { etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' };
  if (hasTag(headers['if-none-match'], tag)) return new NotModified(sent);
  return takesGzip(headers['accept-encoding'])
    ? new WithHeaders(compressed, { ...sent, 'content-encoding': 'gzip' })
    : new WithHeaders(text, sent);
});
