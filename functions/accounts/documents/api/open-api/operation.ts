import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { documentPage } from '../../declarations.ts';

export const openApiOperation = defineOperation('documents/open-api', {
  ...documentPage,
  summary: 'This document',
  description: 'OpenAPI 3.1, for programs and for the page at /docs.',
  path: '/openapi.json',
  reply: v.union([v.string(), v.instance(Uint8Array)]),
  replyType: 'application/json; charset=utf-8',
  assets: { 'openapi.json': 'docs/openapi.json' },
});
