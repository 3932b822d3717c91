import { link } from '../app/address.ts';
import type { PaymentDto } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { amountText, isAbove, isAtLeast } from '../parts/money.ts';
import { stateWords } from '../parts/state-words.ts';
import { leftByLedger } from './payment-words.ts';

export type Next = {
  /** Where the money is. */
  title: string;
  words?: string;
  /** The one thing to do; absent: there is nothing to do. */
  open?: { words: string; label: string; href: string };
};

export const openChargeback = (id: string): Next['open'] & object => ({
  words: translate('What can still be done is on the page of the chargeback.'),
  ...{ label: translate('Open the chargeback'), href: link(`/chargebacks/${id}`) },
});

export const openAlert = (id: number): Next['open'] & object => ({
  words: translate('Answer it before its deadline.'),
  ...{ label: translate('Open the alert'), href: link(`/alerts/${id}`) },
});

/** Where the money of a payment is, and what to do about it, from what the service returns alone. */
export const nextOfPayment = (payment: PaymentDto): Next =>
  ofUnknown(payment) ?? ofDispute(payment) ?? ofMoney(payment);

const ofUnknown = ({
  status,
  error_msg: words,
  ledger: {
    in_flight: [flying],
  },
  currency,
}: PaymentDto) => {
  if (status === 'EXC') return { title: translate('It failed. No money was taken.'), ...(words && { words }) };
  if (status === 'PEND')
    return {
      title: translate('Its outcome is not known yet.'),
      words: translate('The processor is asked again by itself.'),
    };
  return flying && flying.kind !== 'AUTH'
    ? {
        title: translate('{action} of {amount} is under way.', {
          action: stateWords(flying.kind),
          amount: amountText(flying.amount, currency),
        }),
        words: translate('Do not send it a second time: the processor has yet to confirm it.'),
      }
    : undefined;
};

const ofDispute = ({ ledger: { chargebacks }, alerts, currency }: PaymentDto): Next | undefined => {
  const raised = chargebacks.find(({ refunded_by_network: byNetwork }) => !byNetwork);
  if (raised) {
    const amount = amountText(raised.amount, currency);
    return {
      title: raised.money_taken
        ? translate('It was charged back. {amount} is with the issuer.', { amount })
        : translate('Its issuer disputed {amount}. No money is taken now.', { amount }),
      open: openChargeback(raised.chargeback_id),
    };
  }
  if (chargebacks.length > 0) return { title: translate('The network refunded the cardholder.') };
  const alert = alerts.find(({ open }) => open);
  return (
    alert && {
      title: translate('An alert about it awaits an answer.'),
      words: translate('It holds {amount} until then.', { amount: amountText(alert.held, currency) }),
      open: openAlert(alert.alert_id),
    }
  );
};

const ofMoney = (payment: PaymentDto): Next => {
  const { ledger, currency, tx_action: action } = payment;
  const { captured, refunded, voided, authorized } = ledger;
  const amount = amountText(captured, currency);
  if (isAbove(captured, '0') && isAtLeast(refunded, captured))
    return { title: translate('All of it went back: {amount}.', { amount }) };
  if (isAbove(captured, '0'))
    return {
      title: translate('{left} of {amount} is left, before fees.', {
        left: amountText(leftByLedger(payment), currency),
        amount,
      }),
    };
  if (isAbove(voided, '0')) return { title: translate('It was voided. No money was taken.') };
  return action === 'PREAUTH' && isAbove(authorized, '0')
    ? {
        title: translate('{amount} is promised, not taken.', { amount: amountText(authorized, currency) }),
        words: translate('Your shop captures it, or it is voided.'),
      }
    : { title: translate('No money is left of it.') };
};
