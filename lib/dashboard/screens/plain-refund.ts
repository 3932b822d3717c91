import type { AlertDto, ChargesFound, refundAlert } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { amountText, isAbove, sumsText } from '../parts/money.ts';
import { type AlertFacts, maxRefund } from './alert-facts.ts';
import { findCertain } from './certain-charge.ts';

type Body = NonNullable<Parameters<typeof refundAlert>[0]['body']>;

/** A refund of a known amount, with the call that makes it. `isPart`: less than the disputed amount. */
export type PlainRefund = { amount: string; currency: string; isPart: boolean; body: Body; where: string };

type Stated = Pick<AlertDto, 'amount' | 'currency'> & Partial<Pick<AlertDto, 'dispute_amount' | 'dispute_currency'>>;

/** The disputed amount; where the provider states none, the whole amount of the transaction. */
export const pickDisputed = (alert: Stated): { amount: string; currency: string } =>
  alert.dispute_amount && alert.dispute_currency && isAbove(alert.dispute_amount, '0')
    ? { amount: alert.dispute_amount, currency: alert.dispute_currency }
    : { amount: alert.amount, currency: alert.currency };

/** The disputed amounts of several alerts in a sentence, without test alerts: what a refund of all of them is at most. */
export const disputedText = (alerts: readonly (Stated & { test?: boolean })[]): string =>
  sumsText(alerts.filter(({ test }) => test !== true).map(pickDisputed)) || '–';

/** The disputed amount, at most what can be refunded; all of it if the dispute is in another currency. */
export const amountToRefund = (alert: Stated, most: string, currency: string): string => {
  const disputed = pickDisputed(alert);
  return disputed.currency === currency && isAbove(most, disputed.amount) ? disputed.amount : most;
};

/** The refund that needs no further question: of the charge that is certain. Undefined if none is, or nothing of it is left. */
export const plainRefund = (
  { alert, payment }: { alert: Stated & Pick<AlertDto, 'alert_id'>; payment: AlertFacts['payment'] },
  charges: ChargesFound | undefined,
): PlainRefund | undefined => {
  const certain = findCertain({ payment, charges });
  const { charge } = certain ?? {};
  if (!certain || charge?.charged_back) return undefined;
  const disputed = pickDisputed(alert);
  const partly = (amount: string, currency: string) =>
    currency === disputed.currency && isAbove(disputed.amount, amount);
  if (certain.payment) {
    const { txid, currency } = certain.payment;
    const most = maxRefund(alert, certain.payment);
    if (!isAbove(most, '0')) return undefined;
    const amount = amountToRefund(alert, most, currency);
    const where = translate('Taken here.');
    return { amount, currency, isPart: partly(amount, currency), body: { txid, amount, currency }, where };
  }
  if (!charge || charge.refundable === null || !isAbove(charge.refundable, '0')) return undefined;
  const { connection, reference, txid, currency, settled, refundable } = charge;
  // A charge that has not settled is refunded in full.
  const amount = settled ? amountToRefund(alert, refundable, currency) : refundable;
  const at = connection === null ? { ...(txid && { txid }) } : { connection, reference };
  return {
    amount,
    currency,
    isPart: partly(amount, currency),
    body: { ...at, ...(settled && { amount, currency }) },
    where: connection === null ? translate('Taken here.') : translate('At your own processor.'),
  };
};

type Made = Awaited<ReturnType<typeof refundAlert>>['transaction'];

/** The result of a refund in words. Throws if the processor refused it. */
export const refundedText = ({ status, amount, currency, error_msg, error_code }: Made): string => {
  if (status === 'EXC') throw new Error(error_msg ?? error_code ?? translate('The processor refused it.'));
  const refunded = amountText(amount, currency);
  return status === 'OK'
    ? translate('{amount} refunded. The network is notified.', { amount: refunded })
    : translate('{amount} is on its way. The network is notified once it is confirmed.', { amount: refunded });
};
