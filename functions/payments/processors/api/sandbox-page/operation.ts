import { defineOperation } from '#core/platform/operation/operation.ts';
import { processorPage } from '../../declarations.ts';

export const sandboxPageOperation = defineOperation('processors/sandbox-page', {
  ...processorPage,
  summary: 'Show the page on which a payer confirms a sandbox payment',
  description: 'Where the redirect of a payment whose amount ends in 63 leads. For an hour; it moves no money.',
  method: 'GET',
  otherMethods: ['POST'],
  grants: { table: ['GetItem'] },
});
