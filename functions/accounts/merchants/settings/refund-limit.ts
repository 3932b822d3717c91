import { parseAmount } from '#core/kernel/money/money.ts';
import type { Site } from '../site/site.ts';

/**
 * Compares a refund (decimal, ISO 4217) with the site's `max_refund_amount`: `other_currency` and `unknown` if the two cannot be compared;
 * `none`: the site sets no limit.
 */
export const judgeByLimit = (
  { amount, currency }: { amount: string; currency: string },
  { alert, profile }: Pick<Site, 'alert' | 'profile'>,
): 'none' | 'within' | 'above' | 'other_currency' | 'unknown' => {
  const limit = alert?.max_refund_amount ?? null;
  if (limit === null) return 'none';
  if (String(profile['currency'] ?? 'USD') !== currency) return 'other_currency';
  const [asked, most] = [parseAmount(amount, currency), parseAmount(limit, currency)];
  if (typeof asked === 'string' || typeof most === 'string') return 'unknown';
  return asked.minor > most.minor ? 'above' : 'within';
};
