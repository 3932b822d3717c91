import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toWebhookRegistrationDto } from '../../register/webhook-registration.ts';
import { registerWebhook } from '../../register/webhook-registration-flow.ts';
import { registerWebhookOperation } from './operation.ts';

export const handler = auditedEndpoint(registerWebhookOperation, async ({ params: { mid, id }, caller, baseUrl }) => {
  const url = `${baseUrl}/api/v3/merchant/${mid}/connections/${id}/webhook`;
  return toWebhookRegistrationDto({ id, url }, await registerWebhook({ mid, id, caller, url }));
});
