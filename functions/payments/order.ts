import { type Card, type CardInput, readCard } from '../core/card.ts';
import type { Money } from '../core/money.ts';
import type { Basket } from './basket.ts';
import type { Payer, Shipping } from './payer.ts';
import type { ThreeDsResult } from './three-ds.ts';

/** What a call asks for that makes a new parent transaction, before anything of the site is known. */
export type Order = {
  sid: number;
  action: 'PAYMENT' | 'PREAUTH' | 'PAYOUT';
  /** What the hash was made of. */
  money: Money;
  hash: string;
  timestamp: string;
  tid: string | null;
  reference: string | null;
  refs: readonly [string | null, string | null, string | null, string | null];
  descriptor: string | null;
  card: CardFields | null;
  payer: Payer;
  shipping: Shipping | null;
  /** What is bought; null of a payout. */
  basket: Basket | null;
  /** What the merchant knows of the payer's device, `ip` and `device_id` among it. */
  device: Readonly<Record<string, unknown>> | null;
  /** The authentication of ours that took place before, and that is to be looked up; its values are in no call. */
  authenticationId: number | null;
  /** What the merchant says of one that took place elsewhere. */
  threeDs: ThreeDsResult | null;
  postbackUrl: string;
  /** Where the payer goes from our pages; null: nowhere. */
  returnUrl: string | null;
  /** Everything that makes two orders the same or not. A call, as a card number is in it. */
  content: () => string;
};

/** A card as it was sent. Held in a closure: an order may be shown in an error, its card may not. */
export type CardFields = { read: (rules: Parameters<typeof readCard>[1]) => Card | string[] };

type SentCard = Omit<CardInput, 'card_no'> & { card_no?: string | undefined };

/** Keeps what was sent of a card where nothing can print it; null if no number was sent. */
export const cardFieldsOf = (sent: SentCard): CardFields | null => {
  const { card_type, card_no, card_ccv, card_exp_month, card_exp_year, card_name } = sent;
  if (card_no === undefined) return null;
  const read: CardFields['read'] = (rules) =>
    readCard({ card_type, card_no, card_ccv, card_exp_month, card_exp_year, card_name }, rules);
  return { read };
};
