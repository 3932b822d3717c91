import { numberFormat } from '../language/translate.ts';

/** A whole number with its thousands apart. */
export const countText = (count: number): string => numberFormat().format(count);

/** A text as it begins a sentence. */
export const upperFirst = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A decimal text as the language writes it: `1.5`. */
export const decimalText = (text: string): string => {
  const digits = text.split('.')[1]?.length ?? 0;
  return numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(Number(text));
};

/** A number of per cent, with the decimals that its text has: `1.50%`. */
export const percentText = (percent: number | string): string => {
  const digits = String(percent).split('.')[1]?.length ?? 0;
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return numberFormat({ style: 'percent', ...decimals }).format(Number(percent) / 100);
};
