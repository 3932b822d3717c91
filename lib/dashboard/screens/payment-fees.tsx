import { link } from '../app/address.ts';
import { alertDetails, type PaymentDto } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, type Sum } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';
import { feeDetails } from './chargeback-fees.tsx';
import { leftAfterFees, leftByLedger } from './payment-words.ts';

/** What disputes of a payment cost: the prices of its alerts, and the processor's fee for a chargeback. */

/** `sum` is undefined where a fee is not known. */
type Fee = { label: string; href: string; sum: Sum | undefined };

const maxAlerts = 5;

const readFees = async (payment: PaymentDto, signal: AbortSignal): Promise<Fee[]> => {
  const { mid, processor, alerts, ledger } = payment;
  const taken = ledger.chargebacks.filter(({ money_taken: isTaken }) => isTaken);
  const [prices, details] = await Promise.all([
    taken.length > 0 ? feeDetails({ params: { mid }, signal }).catch(() => undefined) : undefined,
    Promise.all(alerts.slice(0, maxAlerts).map(({ alert_id }) => alertDetails({ params: { alert_id }, signal }))),
  ]);
  const own = prices?.chargeback_fees.find((one) => one.processor === processor);
  const fee = own ?? prices?.chargeback_fees.find((one) => one.processor === null);
  return [
    ...details
      .filter(({ test }) => !test)
      .map(({ alert_id, cost }) => ({
        label: translate('Price of the alert'),
        href: link(`/alerts/${alert_id}`),
        sum: cost?.price && cost.price_currency ? { amount: cost.price, currency: cost.price_currency } : undefined,
      })),
    ...taken.map(({ chargeback_id }) => ({
      label: translate('Processor’s fee for the chargeback'),
      href: link(`/chargebacks/${chargeback_id}`),
      sum: fee && { amount: fee.dispute_fee, currency: fee.currency },
    })),
  ];
};

export const PaymentFees = ({ payment }: { payment: PaymentDto }) => {
  const isDisputed = payment.alerts.length + payment.ledger.chargebacks.length > 0;
  const { data, error, reload } = useLoad(isDisputed ? `fees ${payment.txid}` : null, (signal) =>
    readFees(payment, signal),
  );
  if (!isDisputed || data?.length === 0) return null;
  const { currency } = payment;
  const left =
    data &&
    leftAfterFees(
      { amount: leftByLedger(payment), currency },
      data.map(({ sum }) => sum),
    );
  return (
    <Card title={translate('Fees of its disputes')}>
      <Trouble error={error} onRetry={reload} />
      {data && (
        <Facts
          facts={[
            ...data.map(({ label, href, sum }): [string, preact.JSX.Element] => [
              label,
              <a key={href} href={href}>
                {sum ? amountText(sum.amount, sum.currency) : translate('not known here')}
              </a>,
            ]),
            [translate('Left after them'), left && amountText(left.amount, currency)],
          ]}
        />
      )}
      <p class="small quiet">{translate('What your processor charges for the payment itself is not part of this.')}</p>
    </Card>
  );
};
