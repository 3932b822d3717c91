import { txidOfReference } from '../merchant-reference.ts';
import type { DisputesOf } from '../ports/account.ts';
import { type DisputeAnswer, type DisputePort, unreadableDispute } from '../ports/dispute.ts';
import { readWithKnownCurrency } from '../unknown-currency-client.ts';
import { disputeOfNotices, warningOfNotices } from './adyen-disputes.ts';
import { acceptAtAdyen, submitToAdyen } from './adyen-evidence-client.ts';
import type { AdyenAccess } from './adyen-exchange-client.ts';
import { adyenMemory } from './adyen-store.ts';
import { type AdyenMemory, isReversed } from './adyen-webhook.ts';

/** The disputes that Adyen's webhooks reported: it cannot be asked for their state. */
export const adyenDisputes = (access: AdyenAccess, memory: AdyenMemory): DisputePort => ({
  look: (reference) => readDispute(memory, reference),
  lookAtWarning: async (reference) => ({
    found: (await readWarning(memory, reference)) ?? null,
  }),
  submit: (reference, evidence) => submitToAdyen({ access, memory, reference }, evidence),
  accept: (reference) => acceptAtAdyen({ access, memory, reference }),
});

const readWarning = async (memory: AdyenMemory, reference: string) => {
  const { notices } = await memory.recall(reference);
  return readWithKnownCurrency('adyen', () => warningOfNotices(notices));
};

const readDispute = async (memory: AdyenMemory, reference: string): Promise<DisputeAnswer> => {
  const { notices } = await memory.recall(reference);
  const read = readWithKnownCurrency('adyen', () => ({ dispute: disputeOfNotices(reference, notices) }));
  if (read === undefined) return unreadableDispute('adyen');
  const { dispute } = read;
  const ours = dispute?.merchantReference ?? '';
  if (!dispute || txidOfReference(ours) === null) return { found: dispute ?? null };
  return { found: { ...dispute, isGivenBack: isReversed((await memory.recall(ours)).notices) } };
};

export const adyenDisputesOf: DisputesOf = ({ open, scope }) => adyenDisputes(open('adyen'), adyenMemory(scope));
