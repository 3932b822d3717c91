import { exponentOf, type Money } from '#core/kernel/money/money.ts';
import {
  type Decimal,
  decimalText,
  dividedHalfEven,
  onTop,
  percent,
  times,
  toDecimal,
} from '#payments/payments/decimal.ts';
import { type KeptMoney, keptMoney } from '#payments/payments/kept-money.ts';
import { maxMinor } from '#payments/payments/order/cart.ts';
import type { Rate } from './rate.ts';

/**
 * The rate that a payer gets: the service's own with the margin (percent) on top. Exact; rows keep it, so that anybody
 * can recalculate an amount from it.
 */
export const rateWithMargin = (rate: string, margin: string): string =>
  decimalText(times(toDecimal(rate), onTop(percent(margin))));

/**
 * Converts an amount: minor units times the rate, with the decimals of both currencies, rounded once, to the nearest minor unit and a half
 * to the even one, so that many conversions favour neither side.
 */
export const convert = ({ minor, currency }: Money, to: string, rate: string): Money => {
  const { digits, scale } = toDecimal(rate);
  const decimals = countDigits(to) - countDigits(currency);
  const numerator = minor * digits * 10n ** BigInt(Math.max(0, decimals));
  return { minor: dividedHalfEven(numerator, 10n ** BigInt(scale + Math.max(0, -decimals))), currency: to };
};

const countDigits = (currency: string): number => {
  const exponent = exponentOf(currency);
  if (exponent === undefined) throw new RangeError('Not a currency of ISO 4217');
  return exponent;
};

export type ConversionInput = {
  money: Money;
  /** The currency of the site's payments on a statement. */
  descriptorCurrency: string;
  /** The service's own rate between the two, as set; undefined if there is none. Not looked at where they are the same. */
  rate: Rate | undefined;
  /** Percent; see marginOf. */
  margin: string;
};

/**
 * The amount charged for a payment in the site's currency, and how it was converted (null: it was not); or why it
 * cannot be, in words for the caller.
 */
export const convertForSite = ({
  money,
  descriptorCurrency,
  rate,
  margin,
}: ConversionInput): { charged: Money; conversion: Conversion | null } | string => {
  if (money.currency === descriptorCurrency) return { charged: money, conversion: null };
  if (rate?.from !== money.currency || rate.to !== descriptorCurrency) {
    return `currency: there is no exchange rate from ${money.currency} to ${descriptorCurrency}.`;
  }
  const applied = rateWithMargin(rate.rate, margin);
  const charged = convert(money, descriptorCurrency, applied);
  if (charged.minor === 0n) return `amount: rounds to nothing in ${descriptorCurrency}.`;
  if (charged.minor > maxMinor) return `amount: comes to more than 15 digits in ${descriptorCurrency}.`;
  return {
    charged,
    conversion: { original: keptMoney(money), rate: applied, margin, source: rate.source, at: rate.at },
  };
};

type Profile = Readonly<Record<string, unknown>> | null | undefined;

/** The margin of a site, in percent: its own setting, else its retailer's, else none. */
export const findMargin = (sitePayment: Profile, retailer: Profile): string =>
  String(sitePayment?.['margin_percentage'] ?? retailer?.['margin_percentage'] ?? '0');

/** Amounts of one payment, each in minor units of its own currency. */
export type RefundSoFar = {
  /** The whole payment in both currencies. */
  original: bigint;
  charged: bigint;
  /** The amount refunded before in the charged currency, refunds in flight included. */
  refundedCharged: bigint;
  /** The refund in question. */
  refundCharged: bigint;
  /** The amount refunded before in the original currency. */
  refundedOriginal: bigint;
};

/**
 * A refund in the currency in which the payer was asked to pay, at the rate of the payment. Calculated as the total refunded so
 * far less the total before, so that rounding never accumulates: the refund that completes a payment gets exactly what is
 * left, even if some have failed in between.
 */
export const refundInOriginal = ({
  original,
  charged,
  refundedCharged,
  refundCharged,
  refundedOriginal,
}: RefundSoFar): bigint => {
  const after = refundedCharged + refundCharged;
  if (refundedCharged < 0n || refundCharged < 0n || charged <= 0n || after > charged) {
    throw new RangeError('A refund cannot be more than is left of the payment');
  }
  const part = dividedHalfEven(original * after, charged) - refundedOriginal;
  // Refunds that failed in between can leave a minor unit too many behind those that did not.
  return part < 0n ? 0n : part;
};

/**
 * The reverse: the amount of the charge to give back for a refund in the original currency. Refunding all that is left there
 * gives back all that is left of the charge, and never more; 0 if the refund is less than half a minor unit.
 */
export const refundInCharged = (
  { original, charged, refundedCharged, refundedOriginal }: Omit<RefundSoFar, 'refundCharged'>,
  refundOriginal: bigint,
): bigint => {
  const left = charged - refundedCharged;
  const part = dividedHalfEven(charged * refundOriginal, original);
  if (part > left || refundOriginal === original - refundedOriginal) return left;
  return part;
};

/** The percentage by which a rate that a caller posts may differ from the service's own. */
const postedRateTolerance = '1';

/** The lowest and the highest rate that is within the tolerance of a rate. */
export const rateBounds = (rate: string): { lowest: string; highest: string } => {
  const { digits, scale } = percent(postedRateTolerance);
  const one = 10n ** BigInt(scale);
  const by = (factor: Decimal): string => decimalText(times(toDecimal(rate), factor));
  return { lowest: by({ digits: one - digits, scale }), highest: by({ digits: one + digits, scale }) };
};

/** Checks whether a posted rate is within those bounds. */
export const isNearRate = (posted: string, rate: string): boolean => {
  const { lowest, highest } = rateBounds(rate);
  return !isLess(toDecimal(posted), toDecimal(lowest)) && !isLess(toDecimal(highest), toDecimal(posted));
};

const isLess = (left: Decimal, right: Decimal): boolean =>
  left.digits * 10n ** BigInt(right.scale) < right.digits * 10n ** BigInt(left.scale);

/** The original amount before conversion, and how it was converted: a refund uses the same rate. */
export type Conversion = {
  original: KeptMoney;
  /** Decimal: one unit of the original currency in units of the charged one, margin included. */
  rate: string;
  /** Percent that the rate above includes. */
  margin: string;
  source: string;
  /** When the rate was set, ISO. */
  at: string;
};
