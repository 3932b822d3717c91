import type { ProcessorDispute } from '../ports/dispute.ts';
import type { NmiTransaction } from './nmi-transaction.ts';

/**
 * The chargeback of a transaction, as far as the Query API shows it: a `return` among its actions. It gives neither a deadline
 * for contesting it nor its result. Undefined if there is none.
 */
export const disputeOfNmi = ({ id, orderId, currency, actions }: NmiTransaction): ProcessorDispute | undefined => {
  const taken = actions.findLast(({ type, isSuccess, minor }) => type === 'return' && isSuccess && minor !== null);
  if (!taken || taken.minor === null) return undefined;
  return {
    reference: id,
    payments: [id],
    merchantReference: orderId,
    stage: 'chargeback',
    status: 'open',
    isTaken: true,
    money: { minor: taken.minor, currency },
    reasonCode: '',
    network: '',
    dueBy: null,
    openedAt: taken.at,
  };
};
