import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';

const address = (what: string) => v.pipe(v.string(), v.description(what));

export const frontOperation = defineOperation({
  area: 'documents',
  tag: 'health',
  name: 'front',
  summary: 'What is here',
  description: 'For people who open the bare address: where to go from there.',
  method: 'GET',
  path: '/',
  auth: 'public',
  reply: v.object({
    service: v.pipe(v.literal('Forewarn'), v.description('Which service this is.')),
    dashboard: address('For people.'),
    documentation: v.pipe(v.nullable(v.string()), v.description('For programmers; null where this stage shows none.')),
    health: address('For monitors.'),
  }),
  errors: [],
  grants: {},
  variables: ['ALLOW_DOCS'],
});
