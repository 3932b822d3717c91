import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { Creq, ofIssuer } from '../../sandbox/sandbox-declarations.ts';

export const sandboxChallengeOperation = defineOperation('threeds/sandbox-challenge', {
  ...ofIssuer,
  summary: 'The page on which the sandbox’s issuers ask a payer',
  description: 'By the card: passes by itself, fails by itself, or asks for a code (123456, three tries).',
  method: 'POST',
  onlyWhere: 'allowSandbox',
  path: '/sandbox/acs/challenge',
  body: v.object({ creq: Creq }),
  formats: ['form'],
  grants: { table: ['GetItem', 'PutItem'] },
});
