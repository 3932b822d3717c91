import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { type Rate, toRateDto } from '../../rates/rate.ts';
import { setRate as store } from '../../rates/rate-store.ts';
import { setRateOperation } from './operation.ts';

export const handler = auditedEndpoint(setRateOperation, async ({ body, caller }, _, comparison) => {
  const { before, rate } = await store(body, caller.subject);
  const nameRate = (one?: Rate) => ({ rate: { [`${body.from} ${body.to}`]: one?.rate }, source: one?.source });
  comparison.compare(nameRate(before), nameRate(rate));
  return toRateDto(rate);
});
