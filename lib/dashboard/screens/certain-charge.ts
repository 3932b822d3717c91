import type { ChargesFound } from '../app/operations.ts';

type Match = Pick<ChargesFound, 'match'>;
type Charge = Pick<ChargesFound['transactions'][number], 'txid' | 'matches'>;

/** What an alert is certainly about. `charge` is undefined if the search has not shown it yet. */
export type Certain<P, C> = { payment?: P; charge: C | undefined };

/**
 * The one charge that an alert is certainly about: the payment that it holds, or the only result of a search that found exactly one.
 * Undefined: every other candidate is a guess, even if it is the only one. `payment`: the held one.
 */
export const findCertain = <P extends { txid: number }, C extends Charge>({
  payment,
  charges,
}: {
  payment?: P | undefined;
  charges?: (Match & { transactions: readonly C[] }) | undefined;
}): Certain<P, C> | undefined => {
  if (payment) return { payment, charge: charges?.transactions.find(({ txid }) => txid === payment.txid) };
  if (charges?.match !== 'one') return undefined;
  const charge = charges.transactions.find(({ matches }) => matches);
  return charge && { charge };
};
