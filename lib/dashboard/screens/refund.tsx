import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { type PaymentDto, refundPayment } from '../app/operations.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { amountText, isAbove } from '../parts/money.ts';

/** A name for one wish: pressed twice, or sent again after a lost answer, it is done once. */
const newWish = (): string => `dash-${crypto.randomUUID()}`;

type RefundDialogProps = { payment: PaymentDto; onClose: (isChanged: boolean) => void };

/** Gives a payment back, whole or in part; what was not captured is voided, always whole. */
export const RefundDialog = ({ payment, onClose }: RefundDialogProps) => {
  const { txid, currency, ledger } = payment;
  const [wish] = useState(newWish);
  const isVoid = !isAbove(ledger.captured, '0');
  const most = isVoid ? ledger.authorized : ledger.refundable;
  const send = async ({ amount = most }: Record<string, string>) => {
    const done = await refundPayment({ params: { parentxid: txid }, body: { amount, currency, tid: wish } });
    if (done.status === 'EXC') throw new Error(done.error_msg ?? 'The processor refused it.');
    const words = amountText(amount, currency);
    say(
      done.status === 'OK' ? `${words} refunded.` : `${words} is being refunded; the processor has yet to confirm it.`,
    );
    onClose(true);
  };
  return (
    <Dialog title={isVoid ? `Void payment ${txid}` : `Refund payment ${txid}`} onClose={() => onClose(false)}>
      <Form onSend={send} send={isVoid ? 'Void it' : 'Refund'} look="danger">
        {(problems) => (
          <>
            <p>
              {isVoid
                ? `${amountText(most, currency)} is authorised and not captured. All of it is released.`
                : `Up to ${amountText(most, currency)} can be refunded to the card. A refund cannot be undone.`}
            </p>
            {!isVoid && (
              <Field
                label={`Amount in ${currency}`}
                name="amount"
                inputMode="decimal"
                required
                defaultValue={most}
                problem={problems['amount']}
              />
            )}
          </>
        )}
      </Form>
    </Dialog>
  );
};
