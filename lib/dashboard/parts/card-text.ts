/** The schemes by a card's first digits, the most specific first. */
const brands: readonly (readonly [pattern: RegExp, name: string, short: string])[] = [
  [/^3[47]/, 'American Express', 'AMEX'],
  [/^35/, 'JCB', 'JCB'],
  [/^3[0689]/, 'Diners Club', 'DINERS'],
  [/^4/, 'Visa', 'VISA'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'Mastercard', 'MC'],
  [/^(6011|64[4-9]|65)/, 'Discover', 'DISC'],
  [/^62/, 'UnionPay', 'UPAY'],
];

/** The names of the schemes. */
export const brandNames: readonly string[] = brands.map(([, name]) => name);

/** A scheme: the pattern of its first digits, its name and its mark. */
export const findBrand = (card: string) => brands.find(([pattern]) => pattern.test(card));

/** The scheme of a masked card; undefined if its first digits are unknown. */
export const cardBrand = (card: string): string | undefined => findBrand(card)?.[1];

/** A masked card in words: `Visa •••• 0259`. */
export const cardText = (card: string): string => {
  const last = card.slice(-4);
  return [cardBrand(card), /^\d{4}$/.test(last) ? `•••• ${last}` : ''].filter(Boolean).join(' ');
};
