import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toSingleSignOnDto } from '../../single-sign-on/single-sign-on-schemas.ts';
import { saveSingleSignOn } from '../../single-sign-on/single-sign-on-store.ts';
import { setSingleSignOnOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setSingleSignOnOperation,
  async ({ params: { mid }, body, caller, baseUrl }, _, comparison) => {
    const { before, settings } = await saveSingleSignOn(mid, body, caller);
    const after = toSingleSignOnDto(mid, settings, baseUrl);
    comparison.compare(before ? toSingleSignOnDto(mid, before, baseUrl) : {}, after);
    return { status: 'ok' as const, ...after };
  },
);
