import { optional } from '../../core/environment.ts';
import { endpoint } from '../../core/http.ts';
import { front } from './operation.ts';

export const handler = endpoint(front, async ({ baseUrl }) => ({
  service: 'Forewarn' as const,
  dashboard: `${baseUrl}/dashboard`,
  documentation: optional('ALLOW_DOCS') === 'true' ? `${baseUrl}/docs` : null,
  health: `${baseUrl}/health`,
}));
