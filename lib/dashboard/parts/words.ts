import { numberFormat } from '../language/translate.ts';

/** A whole number with its thousands apart. */
export const countText = (count: number): string => numberFormat().format(count);
