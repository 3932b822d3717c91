import { readAsset } from '#core/platform/http/asset-store.ts';
import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { takesGzip } from '../../conditional.ts';
import { readDocument } from '../../document-store.ts';
import { siteText, siteTypeOf } from '../../site/documentation.ts';
import { type SitePlace, sitePolicy } from '../../site/layout.ts';
import { docsFileOperation } from './operation.ts';

const place: SitePlace = { base: '', extension: '', home: '../docs', dashboard: '../dashboard' };

export const handler = endpoint(
  docsFileOperation,
  async ({ params: { file: name }, headers }) => {
    const type = siteTypeOf(name, place);
    if (type === undefined) throw new Refusal('page_not_found', 'file: the documentation has no such page or file.');
    const { text, compressed } = await readDocument(name, () => siteText(name, readAsset, place));
    const sent = { 'content-type': type, 'cache-control': 'public, max-age=3600', vary: 'accept-encoding' };
    return takesGzip(headers['accept-encoding'])
      ? new WithHeaders(compressed, { ...sent, 'content-encoding': 'gzip' })
      : new WithHeaders(text, sent);
  },
  { headers: { 'content-security-policy': sitePolicy } },
);
