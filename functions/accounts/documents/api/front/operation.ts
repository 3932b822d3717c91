import * as v from 'valibot';
import { describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';

const address = (what: string) => text(what);

export const frontOperation = defineOperation('documents/front', {
  tag: 'health',
  summary: 'What is here',
  description: 'For people who open the bare address: where to go from there.',
  method: 'GET',
  path: '/',
  auth: 'public',
  reply: v.object({
    service: describeField(v.literal('Forewarn'), 'Which service this is.'),
    dashboard: address('For people.'),
    documentation: nullableText('For programmers; null where this stage shows none.'),
    health: address('For monitors.'),
  }),
  errors: [],
  grants: {},
  variables: ['ALLOW_DOCS'],
});
