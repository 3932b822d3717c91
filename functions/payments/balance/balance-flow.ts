import { describeError, log } from '#core/platform/log/log.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import type { Funds } from '#payments/processors/ports/processor.ts';
import { loadProcessor } from '#payments/processors/ports/registry-client.ts';
import { readBooks, soleAccount } from './balance-store.ts';
import { lessKept } from './funds.ts';

/** The amount that a site could withdraw, and its source. */
export type Balance = { source: 'books' | 'processor'; funds: readonly Funds[] };

/**
 * A payment site's funds. If all its payments go to one account whose processor reports balances, the processor is asked: its own
 * fees and payouts are not in our books. If it does not answer, our books are used.
 * Throws rcode_wrong, site_not_for_payments.
 */
export const readBalance = async (
  sid: number,
  rcode: string,
  { processorFor = loadProcessor }: { processorFor?: typeof loadProcessor } = {},
): Promise<Balance> => {
  const { funds, processors } = await readBooks(sid, rcode);
  const account = soleAccount(processors);
  if (!account) return { source: 'books', funds };
  try {
    const processor = await processorFor(account, { sid, ring: await keyRing('encryption') });
    if (!processor.capabilities.balance) return { source: 'books', funds };
    return { source: 'processor', funds: lessKept(await processor.balance(), funds) };
  } catch (error) {
    log('error', 'processor_balance_unknown', { sid, processor: account.processor, error: describeError(error) });
    return { source: 'books', funds };
  }
};
