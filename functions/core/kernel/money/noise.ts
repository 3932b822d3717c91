/** Below this, numbers of single precision are less than a thousandth apart: each amount has one of its own. */
const maxSingle = 8192;

/** The amount of at most three decimals whose number of single precision this is: 59.970001220703125 is 59.97. */
const readSingle = (value: number): string | undefined =>
  [0, 1, 2, 3].map((digits) => value.toFixed(digits)).find((text) => Math.fround(Number(text)) === value);

/**
 * An amount without the digits that binary floating point adds: in calculations (59.970000000000006 is 59.97), where what remains has six
 * decimals at most and differs by less than a billionth, or by single precision.
 */
export const withoutNoise = (text: string): string => {
  if (!/^\d{1,9}\.\d{6,20}$/.test(text)) return text;
  const value = Number(text);
  const rounded = value.toFixed(6);
  if (Math.abs(value - Number(rounded)) < 1e-9) return rounded.replace(/\.?0+$/, '');
  return (value < maxSingle && readSingle(value)) || text;
};
