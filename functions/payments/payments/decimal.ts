/** Exact decimals for rates and percentages: `digits` times ten to the power of minus `scale`. */
export type Decimal = { digits: bigint; scale: number };

/** Reads a decimal whose spelling a schema has checked: digits, perhaps a point and more digits. */
export const toDecimal = (text: string): Decimal => {
  const [whole = '', decimals = ''] = text.split('.');
  return { digits: BigInt(whole + decimals), scale: decimals.length };
};

/** The shortest spelling: no zeros at the end. */
export const decimalText = ({ digits, scale }: Decimal): string => {
  const padded = String(digits).padStart(scale + 1, '0');
  const whole = padded.slice(0, padded.length - scale);
  const decimals = padded.slice(padded.length - scale).replace(/0+$/, '');
  return decimals === '' ? whole : `${whole}.${decimals}`;
};

export const times = (left: Decimal, right: Decimal): Decimal => ({
  digits: left.digits * right.digits,
  scale: left.scale + right.scale,
});

/** A percentage as a factor: 2.5 is 0.025. */
export const percent = (text: string): Decimal => {
  const { digits, scale } = toDecimal(text);
  return { digits, scale: scale + 2 };
};

/** One plus the decimal: 1 + 0.025. */
export const onTop = ({ digits, scale }: Decimal): Decimal => ({ digits: 10n ** BigInt(scale) + digits, scale });

/** A quotient of non-negative numbers, rounded to the nearest whole number; a half goes to the even one. */
export const dividedHalfEven = (numerator: bigint, denominator: bigint): bigint => {
  const [whole, twice] = [numerator / denominator, 2n * (numerator % denominator)];
  const isUp = twice > denominator || (twice === denominator && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
};

/** An amount of minor units times a decimal, rounded the same way. */
export const scaleMinor = (minor: bigint, { digits, scale }: Decimal): bigint =>
  dividedHalfEven(minor * digits, 10n ** BigInt(scale));
