import { milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import type { ConnectedProcessorOf } from '../ports/account.ts';
import {
  type ChargeRefundRequest,
  type Check,
  type ConnectedProcessor,
  type RefundState,
  refusedOutcome,
} from '../ports/connected-processor.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import { adyenAmountOf, refundAtAdyen, unlessUnheard } from './adyen-client.ts';
import { type AdyenAccess, asksAdyen } from './adyen-exchange-client.ts';
import { adyenMemory } from './adyen-store.ts';
import { type AdyenMemory, outcomeOfModification } from './adyen-webhook.ts';

/**
 * A merchant's own account at Adyen. Its API tells nothing about payments made elsewhere, so charges are known only from the
 * merchant's orders, which name their `pspReference`.
 */
export const connectAdyen = (access: AdyenAccess, memory: AdyenMemory): ConnectedProcessor => ({
  kind: 'adyen',
  isBlind: true,
  // Charges here are found by the merchant's orders. Not being searchable must not block the search of other processors.
  find: async () => ({ candidates: [], isWhole: true }),
  look: async () => null,
  refund: async (request) => (await earlierRefund(memory, request)) ?? refund(access, request),
  refundState: async (request) => (await earlierRefund(memory, request)) ?? refundState(access, request),
  recallRefund: (reference) => recallRefund(memory, reference),
  check: () => checkAdyen(access),
});

/** Adyen keeps an idempotency key for seven days at least. */
const keysLast = 6 * milliseconds.day;

const refund = async (
  access: AdyenAccess,
  { reference, money, key, alertId }: ChargeRefundRequest,
): Promise<ProcessorResult> => {
  if (!/^\w{8,64}$/.test(reference)) return refusedOutcome('not_found_at_processor', 'adyen: no pspReference');
  const made = await refundAtAdyen(access, { reference, money, idempotencyKey: key, txid: alertId });
  // Accepted: banks take days, and Adyen reports only by webhook that one failed after all.
  return made.outcome === 'PEND' && made.reference !== null ? { outcome: 'OK', reference: made.reference } : made;
};

/**
 * Returns the earlier refund of the alert that Adyen has sent again after it failed: a second one would pay the cardholder twice. Undefined if there
 * is none; refused where it is of another amount.
 */
const earlierRefund = async (
  memory: AdyenMemory,
  { money, failed = [] }: ChargeRefundRequest,
): Promise<ProcessorResult | undefined> => {
  for (const reference of failed) {
    const { notices } = await memory.recall(reference);
    const outcome = outcomeOfModification(notices, 'refund');
    if (outcome?.outcome !== 'OK') continue;
    const isSame = notices.some(({ value }) => value === adyenAmountOf(money));
    return isSame
      ? outcome
      : refusedOutcome('refund_failed', 'adyen has sent an earlier refund of another amount again');
  }
  return undefined;
};

/** Refunds cannot be queried, but sending the same key again returns the same reply and makes no second refund. */
const refundState = async (access: AdyenAccess, request: ChargeRefundRequest): Promise<ProcessorResult> => {
  if (nowMilliseconds() - Date.parse(request.begunAt) > keysLast) {
    return { outcome: 'UNKNOWN', detail: 'adyen cannot be asked any more' };
  }
  return unlessUnheard(await refund(access, request));
};

const recallRefund = async (memory: AdyenMemory, reference: string): Promise<RefundState> => {
  const { notices } = await memory.recall(reference);
  return outcomeOfModification(notices, 'refund') ?? { outcome: 'PEND', reference, nextAction: null };
};

const checkAdyen = async (access: AdyenAccess): Promise<Check> => {
  const answer = await asksAdyen(access);
  if (answer === 'works') return { isWorking: true };
  if (answer === 'unavailable') {
    return { isWorking: false, problem: 'unavailable', missing: [], detail: 'Adyen did not answer.' };
  }
  return answer === 'unknown_key'
    ? { isWorking: false, problem: 'credentials', missing: [], detail: 'Adyen does not know this key.' }
    : {
        isWorking: false,
        problem: 'credentials',
        missing: ['Checkout webservice role', 'access to the merchant account'],
        detail: 'The key lacks a role, or there is no such merchant account.',
      };
};

export const adyenConnectedProcessorOf: ConnectedProcessorOf = ({ open, scope }) =>
  connectAdyen(open('adyen'), adyenMemory(scope));
