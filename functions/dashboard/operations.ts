import * as v from 'valibot';
import { defineOperation } from '../core/operation.ts';
import { AppFileParams } from './schemas.ts';

export const dashboardPage = defineOperation({
  area: 'dashboard',
  name: 'page',
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
});

export const dashboardFile = defineOperation({
  area: 'dashboard',
  name: 'file',
  summary: 'A file of the dashboard',
  description: 'Its name changes with its content, so it may be kept for ever. Compressed as `accept-encoding` asks.',
  method: 'GET',
  path: '/dashboard/{id}',
  auth: 'public',
  params: AppFileParams,
  reply: v.custom<Uint8Array>((value) => value instanceof Uint8Array),
  replyType: 'application/octet-stream',
  app: 'dashboard',
  errors: ['page_not_found'],
  grants: {},
});

export const dashboardOperations = [dashboardPage, dashboardFile] as const;
