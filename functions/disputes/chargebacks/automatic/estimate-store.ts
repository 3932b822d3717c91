import { nowIso } from '#core/kernel/clock.ts';
import { type Money, parseAmount } from '#core/kernel/money/money.ts';
import { crossFacets } from '#core/platform/lists/listing.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { type DisputeFees, feeMoney, feesAt } from '#disputes/costs/dispute-fee.ts';
import { readDisputeFees } from '#disputes/costs/dispute-fee-store.ts';
import { convertKnown } from '#disputes/matching/known-rates-store.ts';
import type { Chargeback } from '../chargeback.ts';
import { type ChargebackSummary, chargebackEntity } from '../chargeback-row.ts';
import {
  type Decided,
  type DisputeCost,
  type Estimate,
  makeEstimate,
  toEstimateDto,
  type UnknownPart,
  winChance,
} from './estimate.ts';

/** The newest that count: what a merchant won years ago says little about today. */
const maxDecided = 500;

/** A merchant's decided chargebacks, the newest first. */
export const readDecided = async (mid: number): Promise<Decided[]> => {
  const { list } = await readPage<ChargebackSummary>({
    entity: chargebackEntity,
    scopeIndex: 2,
    scope: `M${mid}`,
    facets: crossFacets(['won', 'lost'], ['chargeback', 'arbitration']),
    order: 'DESC',
    size: maxDecided,
  });
  return list;
};

/** The sources of estimates, which several chargebacks of a merchant share. */
export type EstimateSources = { decided: readonly Decided[]; fees: DisputeFees | undefined };

export const readEstimateSources = async (mid: number): Promise<EstimateSources> => {
  const [decided, fees] = await Promise.all([readDecided(mid), readDisputeFees(mid)]);
  return { decided, fees };
};

type Costs = Pick<Chargeback, 'processor' | 'reasonCode' | 'amount' | 'currency' | 'contestFee'>;

/** The value of contesting a chargeback as of now, on the wire. */
export const readEstimate = async (chargeback: Costs & Pick<Chargeback, 'mid'>) => {
  const estimate = await estimateFor(chargeback, await readEstimateSources(chargeback.mid), nowIso());
  return estimate && toEstimateDto(estimate, chargeback.currency);
};

/** The value of contesting a chargeback. `until`: ISO; what was decided later does not count. */
export const estimateFor = async (
  chargeback: Costs,
  { decided, fees }: EstimateSources,
  until: string,
): Promise<Estimate | null> => {
  const amount = parseAmount(chargeback.amount, chargeback.currency);
  if (typeof amount === 'string') return null;
  return makeEstimate(amount, winChance(decided, chargeback.reasonCode, until), await feesFor(chargeback, fees));
};

const feesFor = async (
  { processor, currency, contestFee }: Costs,
  fees: DisputeFees | undefined,
): Promise<{ fees: DisputeCost[]; unknown: UnknownPart[] }> => {
  const own = fees && feesAt(fees, processor);
  const wanted: DisputeCost[] = [
    ...(own
      ? ([
          { kind: 'dispute', money: feeMoney(own.disputeFee, own.currency), isReturned: false },
          { kind: 'counter', money: feeMoney(own.counterFee, own.currency), isReturned: own.isCounterReturned },
        ] as const)
      : []),
    ...(contestFee
      ? [{ kind: 'compliance', money: feeMoney(contestFee.amount, contestFee.currency), isReturned: true } as const]
      : []),
  ];
  const converted: DisputeCost[] = [];
  const unknown: UnknownPart[] = own ? [] : ['dispute_fee', 'counter_fee'];
  for (const fee of wanted) {
    const money: Money | undefined = await convertKnown(fee.money, currency);
    if (money) converted.push({ ...fee, money });
    else if (!unknown.includes('exchange_rate')) unknown.push('exchange_rate');
  }
  return { fees: converted, unknown };
};
