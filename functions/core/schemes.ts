/** The schemes whose cards are taken, as `card_type` and `paymethod` spell them. Apart from core/card.ts, which brings a table. */
export const schemes = ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'DINERS', 'JCB', 'UNIONPAY'] as const;
export type Scheme = (typeof schemes)[number];
