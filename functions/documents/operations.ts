import * as v from 'valibot';
import { defineOperation } from '../core/operation.ts';

const page = {
  area: 'documents',
  method: 'GET',
  auth: 'public',
  reply: v.string(),
  errors: [],
  grants: {},
} as const;

export const openApi = defineOperation({
  ...page,
  name: 'open-api',
  summary: 'This document',
  description: 'OpenAPI 3.1, for programs and for the page at /docs.',
  path: '/openapi.json',
  replyType: 'application/json; charset=utf-8',
  assets: { 'openapi.json': 'docs/openapi.json' },
});

export const docsPage = defineOperation({
  ...page,
  name: 'docs-page',
  summary: 'This document as a page to read',
  description: 'For people; it loads this document and its script from beside it, and nothing from elsewhere.',
  path: '/docs',
  replyType: 'text/html; charset=utf-8',
});

export const docsScript = defineOperation({
  ...page,
  name: 'docs-script',
  summary: 'The script of that page',
  description: 'It draws the page from the document.',
  path: '/docs/redoc.js',
  replyType: 'text/javascript; charset=utf-8',
  assets: { 'redoc.js': 'node_modules/redoc/bundles/redoc.standalone.js' },
});

export const documentOperations = [openApi, docsPage, docsScript] as const;
