import { defineOperation } from '../../core/operation.ts';
import { intake } from '../declarations.ts';
import { ProviderBBody } from '../intake/provider-b.ts';

export const receiveProviderB = defineOperation({
  ...intake,
  name: 'receive-provider-b',
  summary: 'Take a case of provider_b, or its withdrawal',
  path: '/api/v3/providers/provider_b/alerts',
  body: ProviderBBody,
  errors: ['signature_invalid', 'alert_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], secrets: ['provider-b'] },
});
