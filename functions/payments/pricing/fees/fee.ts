import type { Scheme } from '#core/kernel/card/card.ts';
import { type Money, parseAmount } from '#core/kernel/money/money.ts';
import { percent, scaleMinor } from '#payments/payments/decimal.ts';

/** The price of processing that a site's payers pay, by payment method. */
export type Fee = {
  paymethod: Scheme;
  /** In percent of the amount. */
  percentage: string;
  /** Added for each payment, in `currency`. */
  fixed: string;
  /** Which payments it is for; null: those in any currency that has no fee of its own. */
  currency: string | null;
};

/** The fee of a payment method in a currency, if it has one. */
export const feeFor = (fees: readonly Fee[], paymethod: Scheme, currency: string): Fee | undefined => {
  const ofMethod = fees.filter((fee) => fee.paymethod === paymethod);
  return ofMethod.find((fee) => fee.currency === currency) ?? ofMethod.find((fee) => fee.currency === null);
};

/** The fee on an amount, in minor units; the percentage is rounded like a conversion. */
export const feeOn = ({ minor, currency }: Money, fee: Fee | undefined): bigint =>
  fee ? scaleMinor(minor, percent(fee.percentage)) + fixedFee(fee, currency) : 0n;

const fixedFee = ({ fixed, currency }: Fee, charged: string): bigint => {
  const money = currency === charged ? parseAmount(fixed, currency) : undefined;
  return typeof money === 'object' ? money.minor : 0n;
};

/** Describes the problems of the fees to set for a site, each in words that begin with its field; each fee fits its schema. */
export const feeProblems = (fees: readonly Fee[]): string[] => {
  const seen = new Set<string>();
  return fees.flatMap(({ paymethod, currency, fixed }, index) => {
    const name = `${paymethod} ${currency ?? ''}`;
    const isDouble = seen.has(name);
    seen.add(name);
    return [
      ...(isDouble ? [`fees.${index}: is the second for ${paymethod} in ${currency ?? 'any currency'}`] : []),
      ...fixedProblems(fixed, currency).map((problem) => `fees.${index}.${problem}`),
    ];
  });
};

const fixedProblems = (fixed: string, currency: string | null): string[] => {
  if (currency === null) return /^0(?:\.0+)?$/.test(fixed) ? [] : ['currency: is required for a fixed fee'];
  const money = parseAmount(fixed, currency);
  return typeof money === 'string' ? [`fixed: ${money}`] : [];
};

/** A site's fees on the wire; undefined: none were ever set. */
export const toFeesDto = (sid: number, kept: { fees: readonly Fee[]; at: string; by: string } | undefined) => ({
  sid,
  fees: [...(kept?.fees ?? [])],
  set_at: kept?.at ?? null,
  set_by: kept?.by ?? null,
});
