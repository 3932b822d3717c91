import { parseAmount } from './money.ts';

/** Larger amounts count as this many minor units, so that sums of thousands stay exact numbers. */
const maxCounted = 1_000_000_000_000n;

/** An amount in minor units as every stored sum adds it. */
export const countedMinor = (minor: bigint): number => Number(minor > maxCounted ? maxCounted : minor);

/** The same for an amount as text; 0 if it cannot be read. */
export const countedAmount = (amount: string, currency: string): number => {
  const money = parseAmount(amount, currency);
  return typeof money === 'string' ? 0 : countedMinor(money.minor);
};
