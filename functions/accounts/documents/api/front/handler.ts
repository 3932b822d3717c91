import { endpoint } from '#core/platform/http/http.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { frontOperation } from './operation.ts';

export const handler = endpoint(frontOperation, async ({ baseUrl }) => ({
  service: 'Forewarn' as const,
  dashboard: `${baseUrl}/dashboard`,
  documentation: optional('ALLOW_DOCS') === 'true' ? `${baseUrl}/docs` : null,
  health: `${baseUrl}/health`,
}));
