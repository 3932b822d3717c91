import { nowMilliseconds } from '#core/kernel/clock.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { requireNew, requireVersion } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, putItem } from '#core/platform/table/table.ts';
import {
  type ChargeCandidate,
  type ChargeSearchResult,
  type ConnectedProcessor,
  type DisputedCharge,
  isCertain,
  refusedOutcome,
} from '../ports/connected-processor.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { fromSandboxChargeItem, toSandboxChargeItem } from './sandbox-charge-row.ts';
import {
  type SandboxCharge,
  sandboxCandidate,
  sandboxReferences,
  sandboxRefundOf,
  withSandboxRefund,
} from './sandbox-charges.ts';

/** The sandbox as a merchant's own processor: only rows of the table, and no money. */
export const connectSandbox = (mid: number): ConnectedProcessor => ({
  kind: 'sandbox',
  find: (disputed) => findSandboxCharge(mid, disputed),
  look: (reference) => lookInSandbox(mid, reference),
  refund: (request) =>
    changeCharge(mid, request.reference, (charge) => withSandboxRefund(charge, request, nowMilliseconds())),
  refundState: async (request) => {
    const now = nowMilliseconds();
    const made = sandboxRefundOf(request.reference, await readSandboxCharge(mid, request.reference), request, now);
    if (made) return made;
    return isCertain(request, now)
      ? { outcome: 'NOT_FOUND' }
      : { outcome: 'UNKNOWN', detail: 'It has not arrived yet' };
  },
  cancelSubscription: (reference) => cancelSubscription(mid, reference),
  check: async () => ({ isWorking: true }),
});

const readSandboxCharge = async (mid: number, reference: string): Promise<SandboxCharge> =>
  fromSandboxChargeItem(await getItem(keys.sandboxCharge(mid, reference)));

const findSandboxCharge = async (mid: number, disputed: DisputedCharge): Promise<ChargeSearchResult> => {
  const now = nowMilliseconds();
  const references = sandboxReferences(disputed, now);
  const items = references.length === 0 ? [] : await getItems(references.map((one) => keys.sandboxCharge(mid, one)));
  const candidates = references.flatMap(
    (reference, index) => sandboxCandidate(reference, fromSandboxChargeItem(items[index]), now) ?? [],
  );
  return { candidates, isWhole: true };
};

const lookInSandbox = async (mid: number, reference: string): Promise<ChargeCandidate | null> =>
  sandboxCandidate(reference, await readSandboxCharge(mid, reference), nowMilliseconds()) ?? null;

/** Changes a charge on condition that it is unchanged; after a conflict, applies the change again to the new state. */
const changeCharge = (
  mid: number,
  reference: string,
  by: (charge: SandboxCharge) => { charge: SandboxCharge; answer: ProcessorResult },
): Promise<ProcessorResult> =>
  retryOnConflict(
    async () => {
      const before = await readSandboxCharge(mid, reference);
      const { charge, answer } = by(before);
      if (charge !== before) await putItem(toSandboxChargeItem(mid, reference, charge), conditionOn(before));
      return answer;
    },
    { maxAttempts: 20 },
  );

const conditionOn = ({ version }: SandboxCharge) => (version === 0 ? requireNew : requireVersion(version, 'charge'));

const cancelSubscription = (mid: number, reference: string): Promise<ProcessorResult> =>
  changeCharge(mid, reference, (charge) => {
    const subscription = sandboxCandidate(
      reference,
      { ...charge, isCancelled: false },
      nowMilliseconds(),
    )?.subscription;
    if (!subscription) {
      return { charge, answer: refusedOutcome('not_found_at_processor', 'sandbox: it came from no subscription') };
    }
    const answer: ProcessorResult = { outcome: 'OK', reference: subscription };
    if (charge.isCancelled) return { charge, answer };
    return { charge: { ...charge, isCancelled: true, version: charge.version + 1 }, answer };
  });
