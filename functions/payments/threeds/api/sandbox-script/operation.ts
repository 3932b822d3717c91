import { defineOperation } from '#core/platform/operation/operation.ts';
import { ofIssuer } from '../../sandbox/sandbox-declarations.ts';

export const sandboxScriptOperation = defineOperation('threeds/sandbox-script', {
  ...ofIssuer,
  summary: 'The script of those pages',
  description: 'It posts the form of a page that goes on by itself.',
  method: 'GET',
  onlyWhere: 'allowSandbox',
  path: '/sandbox/acs/acs.js',
  replyType: 'text/javascript; charset=utf-8',
  errorShape: 'plain',
  errors: [],
  grants: {},
  variables: [],
});
