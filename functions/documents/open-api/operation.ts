import { defineOperation } from '../../core/operation.ts';
import { page } from '../declarations.ts';

export const openApi = defineOperation({
  ...page,
  name: 'open-api',
  summary: 'This document',
  description: 'OpenAPI 3.1, for programs and for the page at /docs.',
  path: '/openapi.json',
  replyType: 'application/json; charset=utf-8',
  assets: { 'openapi.json': 'docs/openapi.json' },
});
