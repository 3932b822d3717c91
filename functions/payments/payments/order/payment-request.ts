import { type Card, type CardInput, readCard } from '#core/kernel/card/card.ts';
import type { Money } from '#core/kernel/money/money.ts';
import type { Payer, Shipping } from '../payer.ts';
import type { ThreeDsResult } from '../three-ds.ts';
import type { Basket } from './basket.ts';
import type { SiteProof } from './site-proof.ts';

/** The content of a call that creates a parent transaction, before anything about the site is known. */
export type PaymentRequest = {
  sid: number;
  action: 'PAYMENT' | 'PREAUTH' | 'PAYOUT';
  money: Money;
  proof: SiteProof;
  /** Of a hash; empty for a signature, which has its own. */
  timestamp: string;
  tid: string | null;
  reference: string | null;
  refs: readonly [string | null, string | null, string | null, string | null];
  descriptor: string | null;
  card: CardFields | null;
  payer: Payer;
  shipping: Shipping | null;
  /** The bought items; null for a payout. */
  basket: Basket | null;
  /** The merchant's data about the payer's device, including `ip` and `device_id`. */
  device: Readonly<Record<string, unknown>> | null;
  /** An earlier authentication made here, to be looked up; its values are in no call. */
  authenticationId: number | null;
  /** The merchant's data about an authentication that took place elsewhere. */
  threeDs: ThreeDsResult | null;
  postbackUrl: string;
  /** Where the payer goes from our pages; null: nowhere. */
  returnUrl: string | null;
  /** Everything by which two orders are compared. A function, because it includes a card number. */
  content: () => string;
};

/** A card as it was sent. Held in a closure: an order may be shown in an error, its card may not. */
export type CardFields = { read: (rules: Parameters<typeof readCard>[1]) => Card | string[] };

type SentCard = Omit<CardInput, 'card_no'> & { card_no?: string | undefined };

/** Keeps the card fields that were sent where nothing can print them; null if no number was sent. */
export const cardFieldsOf = (sent: SentCard): CardFields | null => {
  const { card_type, card_no, card_ccv, card_exp_month, card_exp_year, card_name } = sent;
  if (card_no === undefined) return null;
  const read: CardFields['read'] = (rules) =>
    readCard({ card_type, card_no, card_ccv, card_exp_month, card_exp_year, card_name }, rules);
  return { read };
};
