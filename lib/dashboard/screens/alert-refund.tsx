import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { type AlertDto, paymentDetails, refundAlert } from '../app/operations.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, LongField, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, isAbove } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';

type Props = { alert: AlertDto; onClose: (isChanged: boolean) => void };

/** The payments that an alert may be about: the one it holds alone, where it holds one. */
export const paymentsOf = ({ held_txid, potential_txids }: AlertDto): readonly number[] =>
  held_txid === null ? potential_txids : [held_txid];

/** Whether an answer is still awaited, so that a refund can be one. */
const isOpen = ({ status }: AlertDto): boolean => ['OPEN', 'WIP', 'OTHER'].includes(status);

/** Refunds the payment that an alert is about, and tells its network so. */
const AlertRefundDialog = ({ alert, onClose }: Props) => {
  const txids = paymentsOf(alert);
  const [txid, setTxid] = useState(txids[0]);
  const key = txid === undefined ? null : String(txid);
  const { data, error, reload } = useLoad(key, (signal) =>
    paymentDetails({ params: { parentxid: txid ?? 0 }, signal }),
  );
  const held = data?.alerts.find(({ alert_id }) => alert_id === alert.alert_id)?.held ?? '0';
  const most = data && (isAbove(held, data.ledger.refundable) ? held : data.ledger.refundable);
  const send = async ({ amount = '', comments, merchant_notes }: Record<string, string>) => {
    if (!data || txid === undefined) throw new Error('The payment is still being loaded.');
    // An alert is refunded once: a second press, or a colleague at the same moment, is answered with the same refund.
    const { transaction } = await refundAlert({
      params: { alert_id: alert.alert_id },
      body: { txid, amount, currency: data.currency, ...toNotesDto({ comments, merchant_notes }) },
    });
    sayRefunded(transaction);
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
                Payment {txid} of {amountText(data.amount, data.currency)}: up to {amountText(most, data.currency)} can
                be refunded. The refund answers the alert, and it cannot be undone.
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
              <Said />
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
};

type Made = Awaited<ReturnType<typeof refundAlert>>['transaction'];

/** Says what came of a refund; throws where the processor refused it. */
export const sayRefunded = ({ status, amount, currency, error_msg, error_code }: Made): void => {
  if (status === 'EXC') throw new Error(error_msg ?? error_code ?? 'The processor refused it.');
  const refunded = amountText(amount, currency);
  say(
    status === 'OK'
      ? `${refunded} refunded; the network is told.`
      : `${refunded} is on its way; the network is told once it is confirmed.`,
  );
};

type Sayable = { comments?: string | undefined; merchant_notes?: string | undefined };

/** What may be said with a refund, as it is sent. */
export const toNotesDto = ({ comments, merchant_notes }: Sayable) => ({
  ...(comments && { comments }),
  ...(merchant_notes && { merchant_notes }),
});

/** What may be said with a refund: to the network, and among colleagues. */
export const Said = ({ isMany = false }: { isMany?: boolean }) => (
  <>
    <LongField
      label={isMany ? 'Comment for the networks (optional)' : 'Comment for the network (optional)'}
      name="comments"
      maxLength={2000}
    />
    <LongField label="Note for colleagues (optional)" name="merchant_notes" maxLength={5000} />
  </>
);

/** The button that begins it. */
export const RefundAlert = ({ alert, onChanged }: { alert: AlertDto; onChanged: () => void }) => {
  const [isShown, setShown] = useState(false);
  const isPossible = refundAlert.isAllowed() && isOpen(alert) && paymentsOf(alert).length > 0;
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
