import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { type DisputeFee, toDisputeFeeDto } from '../../dispute-fee.ts';
import { setFeesForCaller } from '../../dispute-fee-store.ts';
import { setChargebackFeesOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setChargebackFeesOperation,
  async ({ params: { mid }, body, caller }, _, comparison) => {
    const list = body.chargeback_fees.map(
      ({ processor, currency, dispute_fee, counter_fee, counter_fee_returned }) => ({
        ...{ processor, currency, disputeFee: dispute_fee, counterFee: counter_fee },
        isCounterReturned: counter_fee_returned,
      }),
    );
    const fees = await setFeesForCaller(mid, list, caller);
    comparison.compare(byProcessor(fees.before), byProcessor(fees.list));
    return { status: 'ok' as const, mid, chargeback_fees: fees.list.map(toDisputeFeeDto) };
  },
);

const byProcessor = (list: readonly DisputeFee[]) => ({
  chargeback_fees: Object.fromEntries(
    list.map((fee) => [[fee.processor, fee.currency].filter(Boolean).join(' '), toDisputeFeeDto(fee)]),
  ),
});
