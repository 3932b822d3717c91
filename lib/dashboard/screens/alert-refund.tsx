import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { type AlertShown, alertDetails, answerAlert, paymentDetails, refundPayment } from '../app/operations.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, LongField, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, isAbove } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';

type Props = { alert: AlertShown; onClose: (isChanged: boolean) => void };

/** The payments that an alert may be about: the one it holds alone, where it holds one. */
export const paymentsOf = ({ held_txid, potential_txids }: AlertShown): readonly number[] =>
  held_txid === null ? potential_txids : [held_txid];

/** Whether an answer is still awaited, so that a refund can be one. */
const isOpen = ({ status }: AlertShown): boolean => ['OPEN', 'WIP', 'OTHER'].includes(status);

/** Refunds the payment that an alert is about, and tells its network so. */
export const AlertRefundDialog = ({ alert, onClose }: Props) => {
  const txids = paymentsOf(alert);
  const [txid, setTxid] = useState(txids[0]);
  const key = txid === undefined ? null : String(txid);
  const { data, error, reload } = useLoad(key, (signal) =>
    paymentDetails({ params: { parentxid: txid ?? 0 }, signal }),
  );
  const held = data?.alerts.find(({ alert_id }) => alert_id === alert.alert_id)?.held ?? '0';
  const most = data && (isAbove(held, data.ledger.refundable) ? held : data.ledger.refundable);
  const send = async ({ amount = '', comments, merchant_notes }: Record<string, string>) => {
    if (!data || txid === undefined) throw new Error('The payment is not known yet.');
    // By the alert's own number: a second press, or a colleague at the same moment, refunds nothing more.
    const body = { amount, currency: data.currency, alert_id: alert.alert_id, tid: `alert-${alert.alert_id}` };
    const done = await refundPayment({ params: { parentxid: txid }, body });
    if (done.status === 'EXC') throw new Error(done.error_msg ?? 'The processor refused it.');
    await tellNetwork(alert, {
      amount,
      currency: data.currency,
      comments,
      merchant_notes,
      isDone: done.status === 'OK',
    });
    say(`${amountText(amount, data.currency)} refunded; the network is told.`);
    onClose(true);
  };
  return (
    <Dialog title={`Refund for alert ${alert.alert_id}`} onClose={() => onClose(false)}>
      {txids.length > 1 && (
        <Select
          label="Which payment"
          choices={txids.map((one) => ({ value: String(one), label: String(one) }))}
          value={String(txid)}
          onChange={(event) => setTxid(Number(event.currentTarget.value))}
        />
      )}
      <Trouble error={error} onRetry={reload} />
      {!data && !error && <Waiting rows={3} />}
      {data && most !== undefined && (
        <Form onSend={send} send="Refund and answer" look="danger" isDisabled={!isAbove(most, '0')}>
          {(problems) => (
            <>
              <p>
                Payment {txid} of {amountText(data.amount, data.currency)}; {amountText(most, data.currency)} may go
                back. The alert is answered with it, and a refund cannot be undone.
              </p>
              <Field
                label={`Amount in ${data.currency}`}
                name="amount"
                inputMode="decimal"
                required
                key={most}
                defaultValue={isAbove(most, alert.amount) && alert.currency === data.currency ? alert.amount : most}
                problem={problems['amount']}
              />
              <LongField label="Comment for the network (optional)" name="comments" maxLength={2000} />
              <LongField label="Note for colleagues (optional)" name="merchant_notes" maxLength={5000} />
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
};

type Told = {
  amount: string;
  currency: string;
  comments: string | undefined;
  merchant_notes: string | undefined;
  /** The processor has said so already. */
  isDone: boolean;
};

/** Answers an alert that is refunded, unless the refund itself has done so. */
const tellNetwork = async (alert: AlertShown, told: Told): Promise<void> => {
  const { alert_id } = alert;
  if (!isOpen(await alertDetails({ params: { alert_id } }))) return;
  const isWhole = !isAbove(alert.amount, told.amount);
  await answerAlert({
    params: { alert_id },
    body: {
      status: told.isDone ? 'RESOLVED' : 'WIP',
      reason_code: told.isDone ? (isWhole ? '100.001' : '101.001') : '999.002',
      ...(told.isDone && { alert_outcome_amount: told.amount, alert_outcome_currency: told.currency }),
      ...(told.comments && { comments: told.comments }),
      ...(told.merchant_notes && { merchant_notes: told.merchant_notes }),
    },
  });
};

/** The button that begins it. */
export const RefundAlert = ({ alert, onChanged }: { alert: AlertShown; onChanged: () => void }) => {
  const [isShown, setShown] = useState(false);
  const isPossible = refundPayment.isAllowed() && isOpen(alert) && paymentsOf(alert).length > 0;
  useShortcuts(isPossible ? { refund: () => setShown(true) } : {});
  if (!isPossible) return null;
  return (
    <>
      <Button look="main" onPress={() => setShown(true)}>
        Refund
      </Button>
      {isShown && (
        <AlertRefundDialog
          alert={alert}
          onClose={(isChanged) => {
            setShown(false);
            if (isChanged) onChanged();
          }}
        />
      )}
    </>
  );
};
