import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { type PaymentDto, refundPayment } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { amountText, isAbove } from '../parts/money.ts';

/** A name for one refund: pressed twice, or sent again after a lost answer, it is done once. */
const newReference = (): string => `dash-${crypto.randomUUID()}`;

type RefundDialogProps = { payment: PaymentDto; onClose: (isChanged: boolean) => void };

/** Gives a payment back, whole or in part; what was not captured is voided, always whole. */
export const RefundDialog = ({ payment, onClose }: RefundDialogProps) => {
  const { txid, currency, ledger } = payment;
  const [reference] = useState(newReference);
  const isVoid = !isAbove(ledger.captured, '0');
  const most = isVoid ? ledger.authorized : ledger.refundable;
  const send = async ({ amount = most }: Record<string, string>) => {
    const done = await refundPayment({ params: { parentxid: txid }, body: { amount, currency, tid: reference } });
    if (done.status === 'EXC') throw new Error(done.error_msg ?? translate('The processor refused it.'));
    const words = amountText(amount, currency);
    say(
      done.status === 'OK'
        ? translate('{amount} refunded.', { amount: words })
        : translate('{amount} is being refunded; the processor has yet to confirm it.', { amount: words }),
    );
    onClose(true);
  };
  return (
    <Dialog
      title={isVoid ? translate('Void payment {txid}', { txid }) : translate('Refund payment {txid}', { txid })}
      onClose={() => onClose(false)}
    >
      <Form onSend={send} send={isVoid ? translate('Void it') : translate('Refund')} look="danger">
        {(problems) => (
          <>
            <p>
              {isVoid
                ? translate('{amount} is authorised and not captured. All of it is released.', {
                    amount: amountText(most, currency),
                  })
                : translate('Up to {amount} can be refunded to the card. A refund cannot be undone.', {
                    amount: amountText(most, currency),
                  })}
            </p>
            {!isVoid && (
              <Field
                label={translate('Amount in {currency}', { currency })}
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
