import { endpoint } from '#core/platform/http/http.ts';
import { toDisputeFeeDto } from '../../dispute-fee.ts';
import { readDisputeFees } from '../../dispute-fee-store.ts';
import { toPriceDto } from '../../price.ts';
import { pricesForCaller } from '../../price-store.ts';
import { alertPriceDetailsOperation } from './operation.ts';

export const handler = endpoint(alertPriceDetailsOperation, async ({ params: { mid }, caller }) => {
  const { list } = await pricesForCaller(mid, caller);
  const fees = await readDisputeFees(mid);
  return { mid, prices: list.map(toPriceDto), chargeback_fees: (fees?.list ?? []).map(toDisputeFeeDto) };
});
