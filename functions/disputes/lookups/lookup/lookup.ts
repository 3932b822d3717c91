import { iso, milliseconds } from '#core/kernel/clock.ts';
import { ce3Reasons } from '../evidence/ce3.ts';
import type { Audience } from './audience.ts';
import type { OrderQuery } from './order-match.ts';

/** A provider's question about one purchase, in one shape for all providers, and its results. */

export const lookupProviders = ['provider_a', 'provider_b'] as const;
export type LookupProvider = (typeof lookupProviders)[number];

/** `refused`: the merchant may not be asked; `error`: it took too long, or something broke. */
export const lookupResults = ['found', 'not_found', 'multiple', 'refused', 'error'] as const;
export type LookupResult = (typeof lookupResults)[number];

/** The result of a look-up that found its order: nothing yet, an alert, or 120 days without one. */
export const lookupOutcomes = ['open', 'disputed', 'deflected'] as const;
export type LookupOutcome = (typeof lookupOutcomes)[number];

export type LookupRequest = {
  provider: LookupProvider;
  /** The provider's id of this request: the same id again is a repetition. */
  requestId: string;
  /** The channel as the provider spells it, and who looks there. */
  channel: string;
  audience: Audience;
  /** The owner of the order: the provider's name for the merchant, or else the text on the statement. */
  clientId: string | null;
  descriptor: string | null;
  /** The first and last digits of the card; null if only a reference number is asked about. */
  card: { first6: string; last4: string } | null;
  asked: OrderQuery;
  /** True if the answer is to hold evidence by Visa's rules, if it qualifies. */
  wantsCe3: boolean;
};

export const ce3Results = ['qualified', ...ce3Reasons] as const;
type Ce3Result = (typeof ce3Results)[number];

/** The stored facts of a look-up. About the customer only the first and last digits of the card, which are removed with the order. */
export type OrderLookup = {
  /** See lookupName. */
  name: string;
  provider: LookupProvider;
  at: string;
  channel: string;
  result: LookupResult;
  milliseconds: number;
  card: { first6: string; last4: string } | null;
  amount: string | null;
  currency: string | null;
  date: string | null;
  mid: number | null;
  /** The result of the look-up. */
  orderId: number | null;
  sid: number | null;
  reference: string | null;
  /** Which groups of fields were shown. */
  shown: readonly string[];
  ce3: Ce3Result | null;
  outcome: LookupOutcome | null;
};

/**
 * Networks take disputes for 120 days (americanexpress.com; Visa and Mastercard alike, 2026-11-28). That the look-up prevented one is an estimate:
 * the cardholder may never have meant to dispute.
 */
const deflectedAfter = 120 * milliseconds.day;

/** Returns when the result of a look-up is known. ISO. */
export const deflectedAt = (at: string): string => iso(Date.parse(at) + deflectedAfter);

/** For how long the same request is a repetition, which is not counted again. */
const replayedFor = milliseconds.day;

/** Checks whether a request made now repeats this look-up. */
export const isLookupReplay = ({ at }: Pick<OrderLookup, 'at'>, now: string): boolean =>
  Date.parse(now) - Date.parse(at) < replayedFor;
