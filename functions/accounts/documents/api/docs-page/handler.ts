import { endpoint } from '#core/platform/http/http.ts';
import { docsHtml, docsPolicy } from '../../document-page.ts';
import { docsPageOperation } from './operation.ts';

export const handler = endpoint(docsPageOperation, async () => docsHtml, {
  headers: { 'content-security-policy': docsPolicy },
});
