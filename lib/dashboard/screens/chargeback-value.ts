import type { Evidence } from './chargeback-operations.ts';

/** The cost of contesting, from the fees that the service knows. Pure. */

type Fees = Pick<NonNullable<Evidence['estimate']>, 'fees' | 'unknown'>;

/** The fees that contesting costs; accepting costs the fee for the dispute as well. */
export const ofContesting = ({ fees }: Fees) => fees.filter(({ kind }) => kind !== 'dispute');

/** The chance in per cent from which contesting brings more than accepting; undefined if a fee is not known, or there is none. */
export const breakEven = (estimate: Fees, amount: string): number | undefined => {
  const fees = ofContesting(estimate);
  const isKnown = !estimate.unknown.some((part) => part === 'counter_fee' || part === 'exchange_rate');
  const sum = (some: typeof fees) => some.reduce((all, one) => all + Number(one.amount), 0);
  const cost = sum(fees);
  if (!isKnown || cost === 0) return undefined;
  return Math.ceil((100 * cost) / (Number(amount) + sum(fees.filter(({ returned_if_won: isReturned }) => isReturned))));
};
