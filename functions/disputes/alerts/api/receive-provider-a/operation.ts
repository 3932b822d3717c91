import { defineOperation } from '#core/platform/operation/operation.ts';
import { providerA, providerABody } from '#disputes/providers/provider-a.ts';
import { intake } from '../../declarations.ts';

export const receiveProviderAOperation = defineOperation('alerts/receive-provider-a', {
  ...intake,
  summary: 'Receive an alert from provider_a',
  path: `/api/v3/providers/${providerA.name}/alerts`,
  body: providerABody(),
  errors: ['signature_invalid'],
  variables: [...intake.variables, 'PROVIDER_A_FORMAT', 'PROVIDER_A_SUBJECT'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem'], secrets: [providerA.secret, 'encryption'] },
});
