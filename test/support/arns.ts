import { withLuhnDigit } from '#core/kernel/card/luhn.ts';

/** An acquirer reference number that ends in these digits and its check digit: at most 22 of them. */
export const makeArn = (digits: string | number): string => withLuhnDigit(String(digits).padStart(22, '7'));
