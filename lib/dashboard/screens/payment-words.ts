import type { PaymentDto } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { isAbove, isAtLeast, type Sum, sumByCurrency } from '../parts/money.ts';
import { stateWords } from '../parts/state-words.ts';
import { negate } from './one-currency.ts';

type Standing = Pick<PaymentDto, 'status' | 'tx_action'> & { money_state: string | null };
const doneWords: Readonly<Record<string, string>> = { PAYMENT: translate('Paid'), PREAUTH: translate('Authorised') };

/** One word for where the money is. Only money that was lost has a colour. */
export const moneyStatus = ({
  status,
  tx_action: action,
  money_state: money,
}: Standing): { state: string; label: string; tone: 'plain' | 'act' | 'warn' | 'bad' } => {
  if (money !== null)
    return {
      state: money,
      label: stateWords(money),
      tone: money === 'charged_back' ? 'bad' : money === 'disputed' ? 'warn' : 'act',
    };
  if (status !== 'OK') return { state: status, label: stateWords(status), tone: status === 'EXC' ? 'bad' : 'warn' };
  return { state: status, label: doneWords[action] ?? stateWords(action), tone: 'plain' };
};

/** The state of a payment's money that matters most, as lists filter by it; null: it was paid, and nothing else. */
export const moneyStateOf = ({ ledger, alerts }: Pick<PaymentDto, 'ledger' | 'alerts'>): string | null => {
  const { captured, refunded, voided, chargebacks } = ledger;
  if (chargebacks.some(({ refunded_by_network: byNetwork }) => !byNetwork)) return 'charged_back';
  if (chargebacks.length > 0) return 'refunded_by_network';
  if (isAbove(captured, '0') && isAtLeast(refunded, captured)) return 'refunded';
  if (alerts.some(({ open }) => open)) return 'disputed';
  if (isAbove(refunded, '0')) return 'partly_refunded';
  return isAbove(voided, '0') ? 'voided' : null;
};

type Event = PaymentDto['history'][number];
export type Told = Event & {
  /** With its sign; undefined where no money moved. */
  moved: string | undefined;
  /** The sum that is left after it. */
  left: string;
};

const pickSign = ({ event, tx_action: action }: Event): 1 | -1 | 0 => {
  if (event === 'charged_back') return -1;
  if (event !== 'done') return 0;
  if (action === 'PAYMENT' || action === 'CAPTURE') return 1;
  return action === 'REFUND' || action === 'PAYOUT' ? -1 : 0;
};

/** The events in order, each with what it moved and what is left of the payment after it, before fees. */
export const tellMoney = ({ history, currency }: Pick<PaymentDto, 'history' | 'currency'>): Told[] => {
  let left = '0';
  return history.map((event) => {
    const sum = { amount: event.amount ?? '0', currency };
    const sign = event.currency === null || event.currency === currency ? pickSign(event) : 0;
    const [moved] = sign === 0 ? [] : sign > 0 ? [sum] : negate([sum]);
    if (moved) left = sumByCurrency([{ amount: left, currency }, moved])[0]?.amount ?? left;
    return { ...event, moved: moved?.amount, left };
  });
};

/** The captured money that is left by the ledger; the history shows sums only if it comes to the same. */
export const leftByLedger = ({ ledger, currency }: Pick<PaymentDto, 'ledger' | 'currency'>): string => {
  const { captured, refunded, chargebacks } = ledger;
  const gone = [refunded, ...chargebacks.filter(({ money_taken }) => money_taken).map(({ amount }) => amount)];
  const sums = [{ amount: captured, currency }, ...negate(gone.map((amount) => ({ amount, currency })))];
  return sumByCurrency(sums)[0]?.amount ?? '0';
};

/** The rest after fees; undefined unless each fee is known and in the payment's currency. */
export const leftAfterFees = (left: Sum, fees: readonly (Sum | undefined)[]): Sum | undefined => {
  const own = fees.flatMap((fee) => (fee?.currency === left.currency ? [fee] : []));
  return own.length === fees.length ? sumByCurrency([left, ...negate(own)])[0] : undefined;
};
