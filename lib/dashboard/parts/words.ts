import { numberFormat } from '../language/translate.ts';

/** A whole number with its thousands apart. */
export const countText = (count: number): string => numberFormat().format(count);

/** `1 alert`, `2 alerts`. */
export const countWords = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;
