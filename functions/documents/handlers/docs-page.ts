import { endpoint } from '../../core/http.ts';
import { docsPage } from '../operations.ts';
import { docsHtml, docsPolicy } from '../page.ts';

export const handler = endpoint(docsPage, async () => docsHtml, {
  headers: { 'content-security-policy': docsPolicy, 'x-content-type-options': 'nosniff' },
});
