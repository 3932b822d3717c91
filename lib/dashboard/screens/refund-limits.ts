import type { AlertRow } from '../app/operations.ts';
import { isAbove } from '../parts/money.ts';
import { type SiteDto, siteDetails } from './site-operations.ts';

/** Up to what a site lets its rules refund, and in which currency; undefined: it says nothing. */
type Limit = { amount: string; currency: string };
export type Limits = ReadonlyMap<number, Limit | undefined>;

type Refunded = Pick<AlertRow, 'sid' | 'amount' | 'currency'>;

/** The limits of the sites of some alerts. */
export const loadLimits = async (alerts: readonly Refunded[], signal: AbortSignal): Promise<Limits> => {
  const sids = [...new Set(alerts.flatMap(({ sid }) => (sid === null ? [] : [sid])))];
  return new Map(
    await Promise.all(
      sids.map(async (sid) => [sid, readLimit(await siteDetails({ params: { sid }, signal }))] as const),
    ),
  );
};

const readLimit = ({ settings, currency = 'USD' }: Pick<SiteDto, 'settings' | 'currency'>): Limit | undefined =>
  settings && 'max_refund_amount' in settings && settings.max_refund_amount !== null
    ? { amount: String(settings.max_refund_amount), currency }
    : undefined;

/** Those that no rule of their site would refund for their amount: it is above the limit, or in another currency than that. */
export const aboveLimits = <Alert extends Refunded>(alerts: readonly Alert[], limits: Limits): Alert[] =>
  alerts.filter(({ sid, amount, currency }) => {
    const limit = sid === null ? undefined : limits.get(sid);
    return limit !== undefined && (limit.currency !== currency || isAbove(amount, limit.amount));
  });
