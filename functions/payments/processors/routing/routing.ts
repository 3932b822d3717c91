import type { Scheme } from '#core/kernel/card/card.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { exponentOf, usualExponent } from '#core/kernel/money/money.ts';
import type { DeclineCode } from '../decline-codes.ts';
import type { ProcessorResult } from '../ports/processor.ts';
import type { ProcessorName } from '../ports/processors.ts';

/** Which processor a payment goes to. */

/** An account at a processor, and which payments go there. */
export type Route = {
  /** The account's id: a payment names it, so that its refunds use the same credentials, however routes have changed since. */
  id: string;
  processor: ProcessorName;
  /** Null: all. */
  schemes: readonly Scheme[] | null;
  currencies: readonly string[] | null;
  /** Decimals in the payment's currency, both included; null: no limit. */
  min: string | null;
  max: string | null;
  /** The credentials, encrypted; null for the sandbox, which has none. */
  sealed: string | null;
  /** The parts that may be shown: whose account it is, never enough to use it. */
  shown: Readonly<Record<string, string>>;
};

/** `sid`: the site of the route; `ring`: the key ring of the `encryption` secret. */
export type RouteContext = { sid: number; ring: KeyRing };

/** A site's routes in order, and the accounts that were routed to before: payments made there are refunded there. */
export type SiteProcessors = { routes: readonly Route[]; retired: readonly Route[]; version: number };

/** The route of a payment site without routes where the deployment allows it. */
export const sandboxRoute: Route = {
  id: 'sandbox',
  processor: 'sandbox',
  schemes: null,
  currencies: null,
  min: null,
  max: null,
  sealed: null,
  shown: {},
};

/** The name under which an account's credentials are sealed; see `seal`. */
export const credentialsContext = (sid: number, routeId: string): string => `site:${sid}:processor:${routeId}`;

/** A site's routes, or the sandbox if it has none; empty: `no_processor`. */
export const offeredRoutes = ({ routes }: SiteProcessors, allowSandbox: boolean): readonly Route[] =>
  routes.length === 0 && allowSandbox ? [sandboxRoute] : routes;

/** The account where a payment was made, even if nothing is routed there any more. */
export const routeOfId = ({ routes, retired }: SiteProcessors, id: string): Route | undefined =>
  [...routes, ...retired, sandboxRoute].find((route) => route.id === id);

export type Routed = { scheme: Scheme | null; currency: string; minor: bigint };

/** More than any currency has, so that limits of one route compare with amounts of every currency. */
const limitDecimals = 4;
const scale = (decimal: string): bigint => {
  const [whole = '', decimals = ''] = decimal.split('.');
  return BigInt(whole + decimals.padEnd(limitDecimals, '0'));
};

const takes = ({ schemes, currencies, min, max }: Route, { scheme, currency, minor }: Routed): boolean => {
  if (schemes && scheme !== null && !schemes.includes(scheme)) return false;
  if (currencies && !currencies.includes(currency)) return false;
  const amount = minor * 10n ** BigInt(limitDecimals - (exponentOf(currency) ?? usualExponent));
  return (min === null || amount >= scale(min)) && (max === null || amount <= scale(max));
};

/**
 * The routes that take a payment, in the site's order, each account once; empty: `no_processor`. A payout without a card has
 * no scheme: it goes wherever its currency and amount are taken.
 */
export const routesFor = (routes: readonly Route[], payment: Routed): Route[] => {
  const fitting = routes.filter((route) => takes(route, payment));
  return fitting.filter((route, index) => fitting.findIndex(({ id }) => id === route.id) === index);
};

/** A processor's own reasons, none of an issuer's: a declined card is not tried at one processor after another. */
const processorsOwn: readonly DeclineCode[] = [
  'processor_unavailable',
  'processor_credentials',
  'currency_not_supported',
  'operation_not_supported',
  'amount_invalid',
];

/**
 * Checks whether the next route may be tried: only after a definite failure that lies with the processor and left nothing there. Never
 * while it is not known whether the first one charged the card.
 */
export const mayMoveOn = (outcome: ProcessorResult): boolean =>
  outcome.outcome === 'EXC' && outcome.reference === null && processorsOwn.includes(outcome.code);
