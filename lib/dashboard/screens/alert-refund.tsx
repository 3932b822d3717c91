import { translate } from '../language/translate.ts';
import { LongField } from '../parts/field.tsx';
import { amountText, isAbove } from '../parts/money.ts';

/** Throws the form's message if the amount is not a decimal or exceeds the refundable amount, because the answer is sent later. */
export const expectAmount = (amount: string, most: string, currency: string): void => {
  if (!/^\d+(\.\d+)?$/.test(amount)) throw new Error(translate('The amount must be a decimal such as 10.50.'));
  if (isAbove(amount, most))
    throw new Error(translate('At most {amount} can be refunded.', { amount: amountText(most, currency) }));
};

type Sayable = { comments?: string | undefined; merchant_notes?: string | undefined };

/** Returns the notes of a refund, as they are sent. */
export const toNotesDto = ({ comments, merchant_notes }: Sayable) => ({
  ...(comments && { comments }),
  ...(merchant_notes && { merchant_notes }),
});

/** The notes of a refund: to the network, and for colleagues. */
export const Said = ({ isMany = false }: { isMany?: boolean }) => (
  <>
    <LongField
      label={
        isMany ? translate('Comment for the networks (optional)') : translate('Comment for the network (optional)')
      }
      name="comments"
      maxLength={2000}
    />
    <LongField label={translate('Note for colleagues (optional)')} name="merchant_notes" maxLength={5000} />
  </>
);
