import { exponentOf, isCurrency, type Money } from '#core/kernel/money/money.ts';

/** Amounts as a processor counts them, which is not always how ISO 4217 does. */

/** `step`: the processor's amounts must be multiples of it. */
export type ProcessorCurrency = { exponent: number; step: number };

/** Returns how a processor counts a currency, in `<name>-currencies.ts` of its folder; undefined if it does not accept it. */
export type CurrencyOf = (code: string) => ProcessorCurrency | undefined;

/**
 * Returns how a processor counts what was paid: in a currency that has ended as in ISO 4217, so that it can still be refunded. No payment begins in
 * one, as the API refuses it.
 */
export const countedAsPaid = (currencyOf: CurrencyOf, code: string): ProcessorCurrency | undefined => {
  const exponent = isCurrency(code) ? undefined : exponentOf(code);
  return currencyOf(code) ?? (exponent === undefined ? undefined : { exponent, step: 1 });
};

/** Checks whether a currency is in a text of codes separated by blanks. */
export const isAmong = (codes: string, currency: string): boolean => ` ${codes} `.includes(` ${currency} `);

/**
 * An amount in a processor's own minor units; undefined if they cannot express it exactly. Nothing is rounded here: the
 * charge must equal what the ledger says.
 */
export const toProcessorAmount = (
  { minor, currency }: Money,
  { exponent, step }: ProcessorCurrency,
): number | undefined => {
  const own = exponentOf(currency);
  if (own === undefined) return undefined;
  const scaled = exponent >= own ? minor * 10n ** BigInt(exponent - own) : exactQuotient(minor, own - exponent);
  if (scaled === undefined || scaled % BigInt(step) !== 0n) return undefined;
  const amount = Number(scaled);
  return Number.isSafeInteger(amount) ? amount : undefined;
};

/** A processor reports an amount in a currency that is not in its table, so that its decimals are not known. */
export class UnknownCurrencyError extends Error {
  readonly currency: string;
  constructor(currency: string) {
    super('A processor reports an amount in a currency whose decimals are not known');
    this.currency = currency;
  }
}

/**
 * The reverse, for what a processor reports: a fraction of our own minor unit is dropped. A currency that has ended was counted as in ISO 4217.
 * Throws UnknownCurrencyError.
 */
export const fromProcessorAmount = (
  amount: number,
  currency: string,
  counted: ProcessorCurrency | undefined,
): bigint => {
  const own = exponentOf(currency);
  const exponent = counted?.exponent ?? (isCurrency(currency) ? undefined : own);
  if (own === undefined || exponent === undefined) throw new UnknownCurrencyError(currency);
  return own >= exponent
    ? BigInt(amount) * 10n ** BigInt(own - exponent)
    : BigInt(amount) / 10n ** BigInt(exponent - own);
};

const exactQuotient = (minor: bigint, digits: number): bigint | undefined => {
  const divisor = 10n ** BigInt(digits);
  return minor % divisor === 0n ? minor / divisor : undefined;
};
