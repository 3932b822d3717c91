import { sha256 } from '#core/kernel/crypto.ts';
import { log, metric } from '#core/platform/log/log.ts';
import { txidOfReference } from '../merchant-reference.ts';
import { isUnheard } from './adyen-codes.ts';
import { isWithIssuer } from './adyen-disputes.ts';
import { type AdyenAccess, postToAdyen } from './adyen-exchange-client.ts';
import { type AdyenNotice, find, isReversed, reversal } from './adyen-webhook.ts';

/** Refunds a payment that was ended here and exists at Adyen. */

/** Checks whether Adyen has refused to reverse a payment. */
export const isReversalRefused = (notices: readonly AdyenNotice[]): boolean =>
  find(notices, reversal, false) !== undefined && !isReversed(notices) && !isWithIssuer(notices);

/**
 * Refunds whatever was authorised or captured, unless that, or an issuer, has done so: Adyen forgets idempotency keys. `done`: Adyen has
 * accepted the request, and a webhook reports its result; `later`: it must be tried again; `refused`: trying again is useless.
 */
export const giveBack = async (
  { credentials }: { credentials: AdyenAccess },
  payment: string,
  { notices, ours }: { notices: readonly AdyenNotice[]; ours: string },
): Promise<'done' | 'later' | 'refused'> => {
  if (isReversed(notices) || isWithIssuer(notices)) return 'done';
  const reply = await postToAdyen({ credentials }, 'void', {
    path: `/payments/${encodeURIComponent(payment)}/reversals`,
    body: { merchantAccount: credentials.merchant_account, reference: ours },
    key: sha256(`reverse:${payment}`),
  });
  if (!('outcome' in reply)) return 'done';
  return reply.outcome === 'UNKNOWN' || isUnheard(reply.code) ? 'later' : 'refused';
};

/** The processor may keep the money of a payment that failed here, and an operator must check. */
export const warnOfRefusal = (ours: string): void => {
  log('error', 'reversal_refused', { txid: txidOfReference(ours), processor: 'adyen' });
  metric('ContradictedOutcomes', 1, 'Count');
};
