import { defineOperation } from '../../core/operation.ts';
import { intake } from '../declarations.ts';
import { ProviderABody } from '../intake/provider-a.ts';

export const receiveProviderA = defineOperation({
  ...intake,
  name: 'receive-provider-a',
  summary: 'Take an alert of provider_a',
  path: '/api/v3/providers/provider_a/alerts',
  body: ProviderABody,
  errors: ['signature_invalid'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'], secrets: ['provider-a'] },
});
