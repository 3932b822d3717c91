import type { ChargeCandidate } from '#payments/processors/ports/connected-processor.ts';
import { type AlertRefund, refundMoneyOf } from './refund.ts';

/**
 * The refunds of one charge at a merchant's own processor, for all alerts: several may be about it, and a processor
 * reports only what it has done. Pure.
 */
export type ChargeRefunds = {
  connection: string;
  reference: string;
  /** The amount that others had refunded before Forewarn's first refund, in minor units. */
  before: string;
  /** By alert, without failed ones. */
  refunds: Readonly<Record<string, { minor: string; isDone: boolean }>>;
  version: number;
};

/** The amounts of a charge that its processor has taken and returned. */
export type ChargeTotals = Pick<ChargeCandidate, 'captured' | 'refunded'>;

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

const sumUp = (refunds: ChargeRefunds['refunds'], isDone: boolean): bigint =>
  Object.values(refunds)
    .filter((one) => one.isDone === isDone)
    .reduce((sum, { minor }) => sum + BigInt(minor), 0n);

/** Returns what is left after all refunds that Forewarn has begun. Processors' reports may lag behind them. */
const leftBeside = ({ before, refunds }: ChargeRefunds, { captured, refunded }: ChargeTotals): bigint =>
  captured - larger(refunded, BigInt(before) + sumUp(refunds, true)) - sumUp(refunds, false);

/** The charge with one more refund; undefined if too little is left for it. */
export const withReserved = (
  known: ChargeRefunds | undefined,
  refund: AlertRefund,
  taken: ChargeTotals,
): ChargeRefunds | undefined => {
  const { connection, reference, alertId } = refund;
  const charge = known ?? { connection, reference, before: String(taken.refunded), refunds: {}, version: 0 };
  const { minor } = refundMoneyOf(refund);
  if (leftBeside(charge, taken) < minor) return undefined;
  const refunds = { ...charge.refunds, [alertId]: { minor: String(minor), isDone: false } };
  return { ...charge, refunds, version: charge.version + 1 };
};

/** The charge once it is known what became of a refund; undefined if that changes nothing. */
export const withSettled = (
  charge: ChargeRefunds | undefined,
  { alertId, state }: Pick<AlertRefund, 'alertId' | 'state'>,
): ChargeRefunds | undefined => {
  const { [alertId]: own, ...others } = charge?.refunds ?? {};
  if (!charge || !own || own.isDone || (state !== 'done' && state !== 'failed')) return undefined;
  const refunds = state === 'done' ? { ...others, [alertId]: { ...own, isDone: true } } : others;
  return { ...charge, refunds, version: charge.version + 1 };
};

/** Returns the charge after a completed refund was returned; undefined if it is not there. */
export const withReturned = (
  charge: ChargeRefunds | undefined,
  { alertId }: Pick<AlertRefund, 'alertId'>,
): ChargeRefunds | undefined => {
  const { [alertId]: own, ...refunds } = charge?.refunds ?? {};
  return charge && own && { ...charge, refunds, version: charge.version + 1 };
};
