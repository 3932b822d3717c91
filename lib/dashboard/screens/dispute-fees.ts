import type { PaymentDto } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import type { Sum } from '../parts/money.ts';

/** `sum` is undefined where a fee is not known. */
type Fee = { label: string; path: string; sum: Sum | undefined };
type Price = { test: boolean; cost: { price: string | null; price_currency: string | null } | null };
type Disputes = {
  alerts: readonly Pick<PaymentDto['alerts'][number], 'alert_id'>[];
  ledger: {
    chargebacks: readonly Pick<PaymentDto['ledger']['chargebacks'][number], 'chargeback_id' | 'money_taken'>[];
  };
};

/** The fee of each dispute of a payment. A chargeback that took no money may have been won, which costs a fee, or an inquiry. */
export const listFees = (
  { alerts, ledger }: Disputes,
  prices: ReadonlyMap<number, Price>,
  fee: { dispute_fee: string; currency: string } | undefined,
): Fee[] => [
  ...alerts.flatMap(({ alert_id: id }) => {
    const { test, cost } = prices.get(id) ?? { test: false, cost: null };
    const sum = cost?.price && cost.price_currency ? { amount: cost.price, currency: cost.price_currency } : undefined;
    return test ? [] : [{ label: translate('Price of the alert'), path: `/alerts/${id}`, sum }];
  }),
  ...ledger.chargebacks.map(({ chargeback_id: id, money_taken: isTaken }) => ({
    label: translate('Processor’s fee for the chargeback'),
    path: `/chargebacks/${id}`,
    sum: isTaken && fee ? { amount: fee.dispute_fee, currency: fee.currency } : undefined,
  })),
];
