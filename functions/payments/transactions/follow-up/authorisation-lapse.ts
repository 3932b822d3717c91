import { iso, milliseconds } from '#core/kernel/clock.ts';
import { lapsesSilently } from '#payments/processors/ports/processors.ts';
import type { Transaction } from '../transaction/transaction.ts';

/** Authorisations that lapse at processors that do not report it. Pure. */

/**
 * Networks hold what is authorised for days: Visa ten for payments of the customer online, five for those of the merchant; processors may hold
 * it longer. https://docs.stripe.com/payments/place-a-hold-on-a-payment-method (2026-11-28)
 */
const lookEvery = 7 * milliseconds.day;
const lookedAtFor = 36 * milliseconds.day;

type Authorised = Pick<Transaction, 'action' | 'status' | 'processor' | 'createdAt'>;

/** When to check next whether an authorisation still stands (ISO); undefined if that is not needed. `at`: ISO, now. */
export const nextLapseLook = ({ action, status, processor, createdAt }: Authorised, at: string): string | undefined => {
  if (action !== 'PREAUTH' || status !== 'OK' || processor === null || !lapsesSilently(processor)) return undefined;
  const next = Date.parse(at) + lookEvery;
  return next - Date.parse(createdAt) > lookedAtFor ? undefined : iso(next);
};
