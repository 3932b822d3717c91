import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { checkReferences } from '#core/platform/entries/entry-store.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { createMerchant as store } from '../../merchant/merchant-store.ts';
import { createMerchantOperation as operation } from './operation.ts';

export const handler = auditedEndpoint(
  operation,
  idempotent(operation, async ({ body }, claim) => {
    if (claim?.made !== undefined) return { mid: claim.made };
    await checkReferences([{ field: 'themeid', source: 'theme', id: body.themeid }]);
    const { mid } = await store(body, claim);
    return { mid };
  }),
);
