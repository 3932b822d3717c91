import { updateItem } from '#core/platform/table/table.ts';
import type { ChargeCandidate } from '#payments/processors/ports/connected-processor.ts';
import type { ProcessorDispute } from '#payments/processors/ports/dispute.ts';
import { toListedDispute, toLostCharge } from './past-dispute.ts';
import { pastDisputeUpdate } from './past-dispute-row.ts';

type Place = { mid: number; connection: string };

/** The number of rows that are written at once. */
const atOnce = 20;

const inTurns = async <T>(list: readonly T[], write: (one: T) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < list.length; from += atOnce) await Promise.all(list.slice(from, from + atOnce).map(write));
};

/** Keeps the charges that were charged back. Repeating it changes nothing. */
export const saveLostCharges = (place: Place, charges: readonly ChargeCandidate[]): Promise<void> =>
  inTurns(
    charges.filter(({ isChargedBack }) => isChargedBack),
    (charge) =>
      updateItem(pastDisputeUpdate({ ...place, reference: charge.reference }, { charge: toLostCharge(charge) })),
  );

/** Keeps disputes that a processor listed, by the last of their payment's references. Repeating it changes nothing. */
export const saveListedDisputes = (place: Place, disputes: readonly ProcessorDispute[]): Promise<void> =>
  inTurns(disputes, (dispute) => {
    const reference = dispute.payments.at(-1) ?? dispute.reference;
    return updateItem(pastDisputeUpdate({ ...place, reference }, { dispute: toListedDispute(dispute) }));
  });
