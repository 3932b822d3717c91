/** The schemes whose cards are taken, as `card_type` and `paymethod` spell them. Separate from core/kernel/card/card.ts, which imports a table. */
export const schemes = ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'DINERS', 'JCB', 'UNIONPAY'] as const;
export type Scheme = (typeof schemes)[number];
