import { useState } from 'preact/hooks';
import { type AlertDto, type ChargeFound, type PaymentDto, paymentDetails, refundAlert } from '../app/operations.ts';
import { decide } from '../app/undo.tsx';
import { translate } from '../language/translate.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, isAbove } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { listPayments, maxRefund } from './alert-facts.ts';
import { expectAmount, Said, toNotesDto } from './alert-refund.tsx';
import { amountToRefund, refundedText } from './plain-refund.ts';

type Props = { alert: AlertDto; onClose: (isChanged: boolean) => void };

/** Refunds the payment of an alert, and notifies its network. */
export const AlertRefundDialog = ({ alert, onClose }: Props) => {
  const txids = listPayments(alert);
  const [txid, setTxid] = useState(txids[0]);
  const key = txid === undefined ? null : String(txid);
  const { data, error, reload } = useLoad(key, (signal) =>
    paymentDetails({ params: { parentxid: txid ?? 0 }, signal }),
  );
  const most = data && maxRefund(alert, data);
  const send = ({ amount = '', comments, merchant_notes }: Record<string, string>) => {
    if (!data || txid === undefined || most === undefined)
      throw new Error(translate('The payment is still being loaded.'));
    expectAmount(amount, most, data.currency);
    const body = { txid, amount, currency: data.currency, ...toNotesDto({ comments, merchant_notes }) };
    decide({
      alerts: [alert.alert_id],
      text: translate('Refunding {amount}', { amount: amountText(amount, data.currency) }),
      detail: translate('Then the network is notified'),
      // An alert is refunded once. A second press, or a colleague at the same time, gets the same refund.
      send: async () => refundedText((await refundAlert({ params: { alert_id: alert.alert_id }, body })).transaction),
    });
    onClose(true);
  };
  return (
    <Dialog title={translate('Refund for alert {alertId}', { alertId: alert.alert_id })} onClose={() => onClose(false)}>
      {txids.length > 1 && (
        <Select
          label={translate('Which payment')}
          choices={txids.map((one) => ({ value: String(one), label: String(one) }))}
          value={String(txid)}
          onChange={(event) => setTxid(Number(event.currentTarget.value))}
        />
      )}
      {alert.held_txid === null && <GuessWarning />}
      <Trouble error={error} onRetry={reload} />
      {!data && !error && <Waiting rows={3} />}
      {data && most !== undefined && (
        <Form onSend={send} send={translate('Refund and answer')} look="danger" isDisabled={!isAbove(most, '0')}>
          {(problems) => (
            <>
              <Refundable payment={data} most={most} />
              <Field
                label={translate('Amount in {currency}', { currency: data.currency })}
                name="amount"
                inputMode="decimal"
                required
                key={most}
                defaultValue={amountToRefund(alert, most, data.currency)}
                problem={problems['amount']}
              />
              <Said />
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
};

const GuessWarning = () => (
  <p class="note warn">
    <span>{translate('No charge is certain. Compare the payment with the alert before you refund it.')}</span>
  </p>
);

const Refundable = ({ payment: { txid, amount, currency }, most }: { payment: PaymentDto; most: string }) => (
  <p>
    {translate(
      'Payment {txid} of {amount}: up to {most} can be refunded. The refund answers the alert. You can undo it for ten seconds.',
      { txid, amount: amountText(amount, currency), most: amountText(most, currency) },
    )}
  </p>
);

type ChargeProps = { charge: ChargeFound; alert: AlertDto; onClose: (isChanged: boolean) => void };

/** Refunds a charge where it was made, and answers the alert with that. What has not settled goes back as a whole. */
export const ChargeRefundDialog = ({ charge, alert, onClose }: ChargeProps) => {
  const { connection, reference, txid, currency, settled, refundable } = charge;
  const most = refundable ?? '0';
  const wanted = amountToRefund(alert, most, currency);
  const send = ({ amount, ...words }: Record<string, string>) => {
    if (settled) expectAmount(amount ?? '', most, currency);
    const where = connection === null ? { ...(txid && { txid }) } : { connection, reference };
    const body = { ...where, ...(settled && amount && { amount, currency }), ...toNotesDto(words) };
    decide({
      alerts: [alert.alert_id],
      text: translate('Refunding {amount}', { amount: amountText(settled && amount ? amount : most, currency) }),
      detail: translate('Then the network is notified'),
      send: async () => refundedText((await refundAlert({ params: { alert_id: alert.alert_id }, body })).transaction),
    });
    onClose(true);
  };
  return (
    <Dialog title={translate('Refund {txid}', { txid: txid ?? reference })} onClose={() => onClose(false)}>
      <Form onSend={send} send={translate('Refund and answer')} look="danger">
        {(problems) => (
          <>
            <p>
              {settled
                ? translate('Up to {amount} can be refunded.', { amount: amountText(most, currency) })
                : translate('It has not settled, so all of it is refunded.')}{' '}
              {translate('The refund answers the alert. You can undo it for ten seconds.')}
            </p>
            {settled && (
              <Field
                label={translate('Amount in {currency}', { currency })}
                name="amount"
                inputMode="decimal"
                required
                defaultValue={wanted}
                problem={problems['amount']}
              />
            )}
            <Said />
          </>
        )}
      </Form>
    </Dialog>
  );
};
