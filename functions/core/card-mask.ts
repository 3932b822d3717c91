/** How cards are shown. Apart from core/card.ts, which brings a table of numbers. */

/** `424242******4242`: as many stars as digits are left out. */
export const maskNumber = (digits: string): string =>
  `${digits.slice(0, 6)}${'*'.repeat(Math.max(0, digits.length - 10))}${digits.slice(-4)}`;

/** The mask of a kept card, whose length is no longer known: six stars. */
export const maskKept = ({ first6, last4 }: { first6: string; last4: string }): string => `${first6}******${last4}`;
