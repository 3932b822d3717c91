import { sha256 } from '#core/kernel/crypto.ts';
import type { AlertType } from '#disputes/providers/provider-alert.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';

/** The fields by which informational alerts can be searched. */
export const searchFields = ['alert_id', 'descriptor', 'card_number', 'transaction_amount', 'alert_type'] as const;
export type SearchField = (typeof searchFields)[number];

/** The term that finds every informational alert. */
export const everyTerm = '*';

/** The number of a descriptor's first words that are used for runs. */
const maxWords = 6;

const splitWords = (text: string): string[] =>
  text
    .toUpperCase()
    .normalize('NFC')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** One spelling of an amount, however many decimals it is written with; empty if it is not an amount. */
const plainAmount = (text: string): string => {
  const [, whole = '', decimals = ''] = /^0*(\d{1,15})(?:\.(\d{0,4}))?$/.exec(text.trim()) ?? [];
  const cut = decimals.replace(/0+$/, '');
  return whole === '' ? '' : cut === '' ? whole : `${whole}.${cut}`;
};

/** A digest, because the term is part of keys and a descriptor may contain anything. */
export const descriptorTerm = (words: readonly string[]): string =>
  `descriptor:${sha256(words.join(' ')).slice(0, 32)}`;
const firstTerm = (digits: string): string => `first6:${digits}`;
const lastTerm = (digits: string): string => `last4:${digits}`;
const cardTerm = (first: string, last: string): string => `card:${first}-${last}`;
const amountTerm = (amount: string): string => `amount:${amount}`;

/** Every run of words within the first six, and all words together. */
const descriptorTerms = (descriptor: string): string[] => {
  const words = splitWords(descriptor);
  if (words.length === 0) return [];
  const first = words.slice(0, maxWords);
  const runs = first.flatMap((_, from) => first.slice(from).map((_word, index) => first.slice(from, from + index + 1)));
  return [...runs, words].map(descriptorTerm);
};

const cardTerms = (card: string): string[] => {
  const [first, last] = [card.slice(0, 6), card.slice(-4)];
  return card === '' ? [] : [firstTerm(first), lastTerm(last), cardTerm(first, last)];
};

/** All terms that find an alert, without repetitions: at most 28. */
export const listTerms = ({
  descriptor,
  card,
  amount,
}: {
  descriptor: string;
  card: string;
  amount: string;
}): string[] => [
  ...new Set([everyTerm, ...descriptorTerms(descriptor), ...cardTerms(card), amountTerm(plainAmount(amount))]),
];

/** A search: a term, one alert, or the alerts of a type; `nothing`: no alert can match; `wrong`: the problem of the keyword. */
export type LookUp = { term: string } | { alertId: number } | { type: AlertType } | 'nothing' | { wrong: string };

const cardLookUp = (keyword: string): LookUp => {
  const text = keyword.replace(/[ -]/g, '');
  if (/^\d{4}$/.test(text)) return { term: lastTerm(text) };
  if (/^\d{6}[xX*.•]*$/.test(text)) return { term: firstTerm(text.slice(0, 6)) };
  if (/^[xX*.•]+\d{4}$/.test(text)) return { term: lastTerm(text.slice(-4)) };
  // A whole card number is found by the digits that are kept.
  if (/^\d{6}[\dxX*.•]{0,9}\d{4}$/.test(text)) return { term: cardTerm(text.slice(0, 6), text.slice(-4)) };
  return { wrong: 'must be the first 6 digits of a card, its last 4, or both' };
};

/** Returns the search for a keyword in a field. */
export const lookUpOf = (field: SearchField, keyword: string): LookUp => {
  const text = keyword.trim();
  switch (field) {
    case 'alert_id':
      return /^[1-9]\d{0,15}$/.test(text) ? { alertId: Number(text) } : { wrong: 'must be an alert_id' };
    case 'alert_type': {
      const type = alertTypes.find((one) => one === text.toUpperCase());
      if (!type) return { wrong: `must be one of ${alertTypes.join(', ')}` };
      return type === 'FRAUD_NOTICE' || type === 'DISPUTE_NOTICE' ? { type } : 'nothing';
    }
    case 'card_number':
      return cardLookUp(text);
    case 'transaction_amount': {
      const amount = plainAmount(text);
      return amount === '' ? { wrong: 'must be a decimal such as 10.50' } : { term: amountTerm(amount) };
    }
    case 'descriptor': {
      const words = splitWords(text);
      return words.length === 0 ? { wrong: 'must have letters or digits' } : { term: descriptorTerm(words) };
    }
  }
};
