import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toSingleSignOnDto } from '../../single-sign-on/single-sign-on-schemas.ts';
import { saveSingleSignOn } from '../../single-sign-on/single-sign-on-store.ts';
import { setSingleSignOnOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setSingleSignOnOperation,
  async ({ params: { mid }, body, caller, baseUrl }) => ({
    status: 'ok' as const,
    ...toSingleSignOnDto(mid, await saveSingleSignOn(mid, body, caller), baseUrl),
  }),
);
