import { endpoint } from '#core/platform/http/http.ts';
import { docsHtml, docsPolicy } from '../../document-page.ts';
import { docsPage } from './operation.ts';

export const handler = endpoint(docsPage, async () => docsHtml, {
  headers: { 'content-security-policy': docsPolicy },
});
