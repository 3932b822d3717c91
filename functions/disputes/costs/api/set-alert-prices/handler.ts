import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toPriceDto } from '../../price.ts';
import { addPrice } from '../../price-store.ts';
import { setAlertPricesOperation } from './operation.ts';

export const handler = auditedEndpoint(setAlertPricesOperation, async ({ params: { mid }, body, caller }) => {
  const { tier = null, alert_type: alertType = null, provider, price, currency, from } = body;
  const { list } = await addPrice(mid, { provider, tier, alertType, price, currency, from }, caller);
  return { status: 'ok' as const, mid, prices: list.map(toPriceDto) };
});
