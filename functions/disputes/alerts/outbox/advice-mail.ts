import { redactText } from '#core/platform/log/redaction.ts';
import type { Letter } from '#core/platform/mail/letter.ts';
import type { Alert } from '../alert.ts';
import type { Decision } from '../automatic/automatic.ts';
import { alertLetter } from './alert-mail.ts';

const results: Partial<Readonly<Record<Decision['result'], string>>> = {
  refunded: 'The payment was refunded.',
  refund_pending: 'A refund of the payment was begun.',
  left_to_merchant: 'Nothing was refunded.',
};

/** Why a rule refunded nothing, in people's words. */
const reasons: Readonly<Record<string, string>> = {
  no_transaction: 'No payment was found that fits.',
  several_matches: 'Several payments fit, so that none was chosen.',
  test_alert: 'It is a test.',
  refund_under_way: 'A refund was begun before.',
  refund_unclear: 'It is not known yet whether the payment was refunded. Look at it at its processor.',
  refund_failed: 'The processor refused the refund.',
  connection_unavailable: 'The processor could not be reached.',
};

/** The e-mail about what a rule did with an early fraud warning, and what it advises. */
export const adviceMail = (alert: Alert, { name, action, result, reason, afterwards = [] }: Decision): Letter => {
  const { amount, currency } = alert.providerAlert;
  const advice = action.type === 'notify' ? (action.comments ?? '') : '';
  const said = [
    advice,
    reason === 'refund_unclear' ? '' : (results[result] ?? ''),
    reason ? (reasons[reason] ?? `The reason: ${reason.replaceAll('_', ' ')}.`) : '',
    ...afterwards.map((one) => `${one}.`),
  ];
  return {
    ...alertLetter(
      alert,
      `Fraud warning: ${amount} ${currency}`,
      redactText(`The rule “${name}” applies to this warning.`),
    ),
    quote: redactText(said.filter((part) => part !== '').join('\n')),
  };
};
