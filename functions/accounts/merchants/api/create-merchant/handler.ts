import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { checkReferences } from '#core/platform/entries/entry-store.ts';
import { createMerchant as store } from '../../merchant/merchant-store.ts';
import { createMerchant } from './operation.ts';

export const handler = auditedEndpoint(createMerchant, async ({ body }) => {
  await checkReferences([{ field: 'themeid', source: 'theme', id: body.themeid }]);
  const { mid } = await store(body);
  return { mid };
});
