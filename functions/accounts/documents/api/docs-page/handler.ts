import { endpoint } from '#core/platform/http/http.ts';
import { siteFront } from '../../site/documentation.ts';
import { sitePolicy } from '../../site/layout.ts';
import { docsPageOperation } from './operation.ts';

const front = siteFront({ base: 'docs/', extension: '', home: 'docs', dashboard: 'dashboard' });

export const handler = endpoint(docsPageOperation, async () => front, {
  headers: { 'content-security-policy': sitePolicy },
});
