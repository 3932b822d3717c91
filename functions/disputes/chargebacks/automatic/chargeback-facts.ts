import { claimOfCode, codeAlone } from '#core/kernel/card/scheme-reasons.ts';
import { networkNamed } from '#core/kernel/card/schemes.ts';
import { milliseconds } from '#core/kernel/clock.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import type { Chargeback } from '../chargeback.ts';
import type { Assembled } from '../evidence/chargeback-evidence.ts';
import { type Estimate, sumOfFees, toPercent } from './estimate.ts';
import { listProofs } from './proofs.ts';

const hoursBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / milliseconds.hour;

const shippedStates: readonly string[] = ['shipped', 'in_transit', 'delivered', 'pickup'];

const orderFacts = ({ order_evidence: evidence, payment }: Assembled, currency: string): Facts => {
  const order = evidence?.order;
  const deliveries = order?.deliveries ?? [];
  const shift = payment?.three_ds?.['liability_shift'];
  return {
    ce3_qualified: evidence ? evidence.ce3.qualified : null,
    liability_shift: typeof shift === 'boolean' ? shift : null,
    order_value: order?.currency === currency ? Number(order.amount) : null,
    delivery_status: deliveries.at(-1)?.status ?? null,
    shipped: order
      ? deliveries.some(({ status, shipped_at: at }) => Boolean(at) || shippedStates.includes(status))
      : null,
    delivered: order ? deliveries.some(({ status, delivered_at: at }) => Boolean(at) || status === 'delivered') : null,
  };
};

/** The facts of a chargeback, from the evidence that exists now. Amounts are in its own currency; `at`: ISO. */
export const chargebackFactsOf = (
  chargeback: Chargeback,
  assembled: Assembled,
  estimate: Estimate | null,
  at: string,
): Facts => {
  const { processor, network, reasonCode, stage, amount, currency, alertId, openedAt, dueBy, files } = chargeback;
  const { names, decisive } = listProofs(assembled);
  return {
    ...{
      processor,
      network: networkNamed(network),
      reason_code: codeAlone(reasonCode),
      claim: claimOfCode(reasonCode) ?? null,
      stage,
    },
    ...{ amount: Number(amount), currency, test: processor === 'sandbox', had_alert: alertId !== null },
    days_open: Math.max(0, Math.floor(hoursBetween(openedAt, at) / 24)),
    hours_to_due: dueBy === null ? null : hoursBetween(at, dueBy),
    ...{ decisive_proof: decisive, proofs: names.length, files: files.length },
    ...orderFacts(assembled, currency),
    win_chance: estimate ? toPercent(estimate.chance) : null,
    win_cases: estimate ? estimate.chance.decided : null,
    fees: estimate && isWhole(estimate) ? sumOfFees(estimate) : null,
    expected_value: estimate?.value ?? null,
    gain_over_accepting: estimate?.gain ?? null,
  };
};

const isWhole = ({ unknown }: Estimate): boolean => unknown.every((part) => part === 'win_chance');
