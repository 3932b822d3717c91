import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';

export const dashboardPageOperation = defineOperation('dashboard/page', {
  summary: 'The dashboard',
  description: 'A page for people. Everything it does goes through the operations of this document.',
  method: 'GET',
  path: '/dashboard',
  auth: 'public',
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
  app: 'dashboard',
  errors: [],
  grants: {},
  variables: ['OBJECTS_BUCKET'],
});
