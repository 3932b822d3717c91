/** The schemes whose cards are taken, as `card_type` and `paymethod` spell them. Separate from core/kernel/card/card.ts, which imports a table. */
export const schemes = ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'DINERS', 'JCB', 'UNIONPAY'] as const;
export type Scheme = (typeof schemes)[number];

/** Names that processors write, without signs: `american_express`, `mc`, `Diners Club International`, `CHINA_UNION_PAY`, Adyen's `cup`. */
const spellings: readonly (readonly [RegExp, Scheme])[] = [
  [/^(?:VISA|(?:DELTA|ELECTRON|VPAY)(?:DEBIT)?$)/, 'VISA'],
  [/^(?:MASTERCARD|MAESTRO|MC(?:CREDIT|DEBIT)?$)/, 'MASTERCARD'],
  [/^AM(?:ERICANEXPRESS|EX)/, 'AMEX'],
  [/^DISCOVER(?!Y)/, 'DISCOVER'],
  [/^DINERS/, 'DINERS'],
  [/^JCB/, 'JCB'],
  [/^(?:(?:CHINA)?UNIONPAY|CUP$)/, 'UNIONPAY'],
];

/** The scheme that a text names, in whatever spelling; undefined if it is none that is known. */
export const schemeNamed = (text: string | null | undefined): Scheme | undefined => {
  const word = (text ?? '').toUpperCase().replace(/[^A-Z]/g, '');
  return spellings.find(([form]) => form.test(word))?.[1];
};

/** The same as a charge has its brand. */
export const brandNamed = (text: string | null | undefined): { brand?: Scheme } => {
  const brand = schemeNamed(text);
  return brand === undefined ? {} : { brand };
};

/** A card network in the one spelling of lists and rules, such as `amex`; a name that is not known stays as it is. */
export const networkNamed = (text: string): string => schemeNamed(text)?.toLowerCase() ?? text;
