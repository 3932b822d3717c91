import { endpoint, NotModified, WithHeaders } from '#core/platform/http/http.ts';
import { hasTag, takesGzip } from '../../conditional.ts';
import { readDocument } from '../../document-store.ts';
import { openApiOperation } from './operation.ts';

export const handler = endpoint(openApiOperation, async ({ headers }) => {
  const { text, compressed, tag } = await readDocument('openapi.json');
  const sent = { etag: tag, 'cache-control': 'no-cache', vary: 'accept-encoding' };
  if (hasTag(headers['if-none-match'], tag)) return new NotModified(sent);
  return takesGzip(headers['accept-encoding'])
    ? new WithHeaders(compressed, { ...sent, 'content-encoding': 'gzip' })
    : new WithHeaders(text, sent);
});
