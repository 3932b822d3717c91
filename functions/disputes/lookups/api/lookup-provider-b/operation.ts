import { defineOperation } from '#core/platform/operation/operation.ts';
import { lookupByProvider } from '../../declarations.ts';
import { ProviderBAnswer, ProviderBWithout } from '../../lookup/provider-b-answer.ts';
import { ProviderBQuestion } from '../../lookup/provider-b-lookup.ts';

export const lookupProviderBOperation = defineOperation('lookups/lookup-provider-b', {
  ...lookupByProvider,
  summary: 'Show provider_b what was bought',
  path: '/api/v3/providers/provider_b/orders',
  body: ProviderBQuestion,
  reply: ProviderBAnswer,
  otherReplies: { 404: ProviderBWithout },
  grants: { ...lookupByProvider.grants, secrets: ['provider-b'] },
});
