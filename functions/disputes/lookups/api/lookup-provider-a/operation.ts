import { defineOperation } from '#core/platform/operation/operation.ts';
import { lookupByProvider } from '../../declarations.ts';
import { ProviderAAnswer } from '../../lookup/provider-a-answer.ts';
import { ProviderAQuestion } from '../../lookup/provider-a-lookup.ts';

export const lookupProviderAOperation = defineOperation('lookups/lookup-provider-a', {
  ...lookupByProvider,
  summary: 'Show provider_a what was bought',
  path: '/api/v3/providers/provider_a/orders',
  body: ProviderAQuestion,
  reply: ProviderAAnswer,
  grants: { ...lookupByProvider.grants, secrets: ['provider-a'] },
});
