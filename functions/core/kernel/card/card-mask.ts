/** Masks card numbers for display. Separate from core/kernel/card/card.ts, which imports a library's table. */

/** `424242******4242`, with as many stars as digits are left out. */
export const maskNumber = (digits: string): string =>
  `${digits.slice(0, 6)}${'*'.repeat(Math.max(0, digits.length - 10))}${digits.slice(-4)}`;

/** The mask of a stored card, whose length is no longer known: six stars. */
export const maskKept = ({ first6, last4 }: { first6: string; last4: string }): string => `${first6}******${last4}`;
