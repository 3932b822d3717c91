import type { AlertRow } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { cardText } from '../parts/card-text.ts';
import { amountText } from '../parts/money.ts';
import { stateWords } from '../parts/state-words.ts';
import { statesRefund } from './answer-words.ts';
import { reasonWords } from './reason-words.ts';

/** An alert by what people know of it, in place of its number. Pure. */

type Named = Parameters<typeof reasonWords>[0] & Pick<AlertRow, 'amount' | 'currency' | 'card' | 'site'>;

/** `$48.50, Visa •••• 0259`. */
export const alertName = ({ amount, currency, card }: Pick<Named, 'amount' | 'currency' | 'card'>): string =>
  [amountText(amount, currency), cardText(card)].filter(Boolean).join(', ');

/** `Item not received, Visa •••• 0259, Demo Shop`. */
export const disputeWords = (alert: Named): string =>
  [reasonWords(alert), cardText(alert.card), alert.site].filter(Boolean).join(', ');

/** An answer with its money first: `$48.50 refunded`; without the alert's facts, what was answered. */
export const answeredWords = (
  alert: Pick<Named, 'amount' | 'currency'> | undefined,
  status: string,
  code: string,
): string => {
  const amount = alert ? amountText(alert.amount, alert.currency) : translate('An alert');
  if (status === 'DECLINED') return translate('{amount}, declined', { amount });
  if (status !== 'RESOLVED') return `${amount}, ${stateWords(status)}`;
  if (code.startsWith('101.') && statesRefund(code))
    return translate('{amount}, answered as partly refunded', { amount });
  return statesRefund(code)
    ? translate('{amount}, answered as refunded', { amount })
    : translate('{amount}, resolved without a refund', { amount });
};
