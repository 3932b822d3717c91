import { type Card, type CardInput, readCard } from '../core/card.ts';
import { hmacSha256, type KeyRing } from '../core/crypto.ts';
import type { Money } from '../core/money.ts';
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
  /** What the merchant knows of the payer's device, `ip` and `device_id` among it. */
  device: Readonly<Record<string, unknown>> | null;
  threeDs: ThreeDsResult | null;
  postbackUrl: string;
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

/** A number that only a holder of the key can make of a text. */
const sealOf = (ring: KeyRing, key: string, content: string): string =>
  `${key}.${hmacSha256(`order:${ring.keys[key]}`, content)}`;

/** What is kept of an order's content, to tell whether the same `tid` comes again with another. Keyed, as a card number is in it. */
export const digestOf = (ring: KeyRing, content: string): string => sealOf(ring, ring.current, content);

/** Whether a digest was made of this content, by whatever key was the current one then. */
export const isDigestOf = (ring: KeyRing, digest: string, content: string): boolean => {
  const key = digest.split('.')[0] ?? '';
  return Object.hasOwn(ring.keys, key) && digest === sealOf(ring, key, content);
};

const leftOut = new Set(['hash', 'timestamp', 'card_ccv']);

/** A body, without hash, timestamp and CVV, as text that does not depend on the order of its fields. */
export const contentOf = (operation: string, body: Readonly<Record<string, unknown>>) => (): string =>
  JSON.stringify([
    operation,
    ...Object.entries(body)
      .filter(([name]) => !leftOut.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
