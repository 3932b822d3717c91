import type { DisputesOf } from '../ports/account.ts';
import type { DisputeAnswer, DisputePort, DisputesAnswer } from '../ports/dispute.ts';
import { disputeOfNmi } from './nmi-disputes.ts';
import { type NmiKeys, queryNmi } from './nmi-exchange-client.ts';

/** Chargebacks of an NMI account, which are named by their transactions; contesting them is done with the acquirer. */
export const nmiDisputes = (credentials: NmiKeys): DisputePort => ({
  look: (reference) => readNmiDispute(credentials, reference),
  since: (from) => since(credentials, from),
});

const readNmiDispute = async (credentials: NmiKeys, reference: string): Promise<DisputeAnswer> => {
  if (!/^\d{1,20}$/.test(reference)) return { found: null };
  const asked = await queryNmi(credentials, { transaction_id: reference });
  if ('unasked' in asked) return { unknown: asked.unasked };
  const transaction = asked.transactions.find(({ id }) => id === reference);
  return { found: (transaction && disputeOfNmi(transaction)) ?? null };
};

/** `start_date` is about when a transaction last changed. */
const since = async (credentials: NmiKeys, from: string): Promise<DisputesAnswer> => {
  const start_date = from.replace(/\D/g, '').slice(0, 14);
  const asked = await queryNmi(credentials, { action_type: 'return', start_date });
  if ('unasked' in asked) return { unknown: asked.unasked };
  return { found: asked.transactions.flatMap((one) => disputeOfNmi(one) ?? []) };
};

export const nmiDisputesOf: DisputesOf = ({ open }) => nmiDisputes(open('nmi'));
