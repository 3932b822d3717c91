import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { takesGzip } from '../../conditional.ts';
import { readDocument } from '../../document-store.ts';
import { docsScriptOperation } from './operation.ts';

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  md: 'text/plain; charset=utf-8',
};

export const handler = endpoint(docsScriptOperation, async ({ params: { file }, headers }) => {
  const type = types[file.split('.').at(-1) ?? ''];
  if (type === undefined || !Object.hasOwn(docsScriptOperation.assets ?? {}, file))
    throw new Refusal('page_not_found', 'file: the page has no such file.');
  const { text, compressed } = await readDocument(file);
  const sent = { 'content-type': type, 'cache-control': 'public, max-age=86400', vary: 'accept-encoding' };
  return takesGzip(headers['accept-encoding'])
    ? new WithHeaders(compressed, { ...sent, 'content-encoding': 'gzip' })
    : new WithHeaders(text, sent);
});
