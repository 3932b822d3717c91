import * as v from 'valibot';
import { PagePath } from './schemas.ts';

export const processorPage = {
  path: '/sandbox/pay/{id}',
  auth: 'public',
  params: PagePath,
  reply: v.string(),
  replyType: 'text/html; charset=utf-8',
  errorShape: 'page',
  errors: ['page_not_found'],
  onlyWhere: 'allowSandbox',
} as const;
