import { defineOperation } from '#core/platform/operation/operation.ts';
import { providerB, providerBBody } from '#disputes/providers/provider-b.ts';
import { intake } from '../../declarations.ts';

export const receiveProviderBOperation = defineOperation('alerts/receive-provider-b', {
  ...intake,
  summary: 'Receive a case from provider_b, or its withdrawal',
  path: `/api/v3/providers/${providerB.name}/alerts`,
  body: providerBBody(),
  errors: ['signature_invalid'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    secrets: [providerB.secret, 'encryption'],
  },
});
