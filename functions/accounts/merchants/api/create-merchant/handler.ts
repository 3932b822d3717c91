import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { checkReferences } from '#core/platform/entries/entry-store.ts';
import { createMerchant as store } from '../../merchant/merchant-store.ts';
import { createMerchantOperation } from './operation.ts';

export const handler = auditedEndpoint(createMerchantOperation, async ({ body }) => {
  await checkReferences([{ field: 'themeid', source: 'theme', id: body.themeid }]);
  const { mid } = await store(body);
  return { mid };
});
