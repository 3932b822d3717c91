import { type Claim, claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import { exponentOf, formatAmount, type Money, usualExponent } from '#core/kernel/money/money.ts';

/** The value of contesting a chargeback: the chance to win times the amount, less fees. What is not known is named, not guessed. Pure. */

/** A chargeback that was decided, as lists show it. */
export type Decided = {
  reason_code: string;
  stage: string;
  status: string;
  closed_at: string | null;
  evidence_submitted_at: string | null;
};

export type Chance = { won: number; decided: number };

const isSameClaim = (one: string, other: string): boolean => {
  const claim: Claim | undefined = claimOfCode(one);
  return claim === undefined ? one === other : claim === claimOfCode(other);
};

/**
 * Counts decided chargebacks of the same claim whose evidence was submitted here. `until`: ISO; later decisions are left out, so that a
 * back-test does not know the future. A chargeback that was not contested says nothing about the chance of contesting.
 */
export const winChance = (decided: readonly Decided[], reasonCode: string, until: string): Chance => {
  const alike = decided.filter(
    ({ stage, status, reason_code: reason, evidence_submitted_at: submitted, closed_at: closed }) =>
      // Release 1.0.0 did not list it: whether such a case was contested is not known.
      typeof submitted === 'string' &&
      stage !== 'inquiry' &&
      (status === 'won' || status === 'lost') &&
      closed !== null &&
      closed < until &&
      isSameClaim(reason, reasonCode),
  );
  return { won: alike.filter(({ status }) => status === 'won').length, decided: alike.length };
};

export const feeKinds = ['dispute', 'counter', 'compliance'] as const;
export type FeeKind = (typeof feeKinds)[number];

/** A fee in the chargeback's currency; `isReturned`: if the dispute is won. */
export type DisputeCost = { kind: FeeKind; money: Money; isReturned: boolean };

/** The parts that an estimate may lack. */
export const unknownParts = ['win_chance', 'dispute_fee', 'counter_fee', 'exchange_rate'] as const;
export type UnknownPart = (typeof unknownParts)[number];

const toUnits = ({ minor, currency }: Money): number => Number(minor) / 10 ** (exponentOf(currency) ?? usualExponent);

const roundTo = (value: number, currency: string): number => {
  const scale = 10 ** (exponentOf(currency) ?? usualExponent);
  return Math.round(value * scale) / scale;
};

export type Estimate = {
  chance: Chance;
  fees: readonly DisputeCost[];
  unknown: readonly UnknownPart[];
  /** Numbers in the currency's units; null if a part of them is not known. */
  recovery: number | null;
  value: number | null;
  gain: number | null;
};

/**
 * `recovery`: the chance times the amount. `value`: that less all fees. `gain`: what contesting brings in comparison with accepting, which
 * costs the fee for the dispute as well. A fee that is returned counts as far as the dispute may be lost.
 */
export const makeEstimate = (
  amount: Money,
  chance: Chance,
  { fees, unknown }: { fees: readonly DisputeCost[]; unknown: readonly UnknownPart[] },
): Estimate => {
  const { currency } = amount;
  const share = chance.decided === 0 ? null : chance.won / chance.decided;
  const costOf = (kinds: readonly FeeKind[]): number =>
    fees
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((sum, { money, isReturned }) => sum + toUnits(money) * (isReturned ? 1 - (share ?? 0) : 1), 0);
  const recovery = share === null ? null : share * toUnits(amount);
  const isKnown = (...parts: UnknownPart[]) => !parts.some((part) => unknown.includes(part));
  const gain =
    recovery !== null && isKnown('counter_fee', 'exchange_rate') ? recovery - costOf(['counter', 'compliance']) : null;
  const value = gain !== null && isKnown('dispute_fee') ? gain - costOf(['dispute']) : null;
  const roundAmount = (one: number | null) => (one === null ? null : roundTo(one, currency));
  return {
    chance,
    fees,
    unknown: [...(share === null ? (['win_chance'] as const) : []), ...unknown],
    recovery: roundAmount(recovery),
    value: roundAmount(value),
    gain: roundAmount(gain),
  };
};

/** All fees together, in units of the currency. */
export const sumOfFees = ({ fees }: Estimate): number => fees.reduce((sum, { money }) => sum + toUnits(money), 0);

/** The chance in percent, with one decimal; null without any case. */
export const toPercent = ({ won, decided }: Chance): number | null =>
  decided === 0 ? null : Math.round((1000 * won) / decided) / 10;

const amountText = (value: number | null, currency: string): string | null =>
  value === null ? null : value.toFixed(exponentOf(currency) ?? usualExponent);

/** On the wire. */
export const toEstimateDto = ({ chance, fees, unknown, recovery, value, gain }: Estimate, currency: string) => ({
  win_chance: toPercent(chance),
  won: chance.won,
  cases: chance.decided,
  fees: fees.map(({ kind, money, isReturned }) => ({
    kind,
    amount: formatAmount(money),
    currency: money.currency,
    returned_if_won: isReturned,
  })),
  expected_recovery: amountText(recovery, currency),
  expected_value: amountText(value, currency),
  gain_over_accepting: amountText(gain, currency),
  unknown: [...unknown],
});
