import { link } from '../app/address.ts';
import { alertDetails, type PaymentDto } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';
import { feeDetails } from './chargeback-fees.tsx';
import { listFees } from './dispute-fees.ts';
import { leftAfterFees, leftByLedger } from './payment-words.ts';

/** The cost of a payment’s disputes: the prices of its alerts, and the processor's fee for a chargeback. */

const maxAlerts = 5;

/** Fees of further alerts are not known. */
const readFees = async (payment: PaymentDto, signal: AbortSignal) => {
  const { mid, processor, alerts, ledger } = payment;
  const isTaken = ledger.chargebacks.some(({ money_taken }) => money_taken);
  const [prices, details] = await Promise.all([
    isTaken ? feeDetails({ params: { mid }, signal }).catch(() => undefined) : undefined,
    Promise.all(alerts.slice(0, maxAlerts).map(({ alert_id }) => alertDetails({ params: { alert_id }, signal }))),
  ]);
  const own = prices?.chargeback_fees.find((one) => one.processor === processor);
  const fee = own ?? prices?.chargeback_fees.find((one) => one.processor === null);
  return listFees(payment, new Map(details.map((one) => [one.alert_id, one])), fee);
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
            ...data.map(({ label, path, sum }): [string, preact.JSX.Element] => [
              label,
              <a key={path} href={link(path)}>
                {sum ? amountText(sum.amount, sum.currency) : translate('not known here')}
              </a>,
            ]),
            [translate('Left after these fees'), left && amountText(left.amount, currency)],
          ]}
        />
      )}
      <p class="small quiet">
        {translate('What your processor charges for the payment itself, or for contesting, is not part of this.')}
      </p>
    </Card>
  );
};
