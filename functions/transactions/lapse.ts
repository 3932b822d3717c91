import { iso, milliseconds } from '../core/clock.ts';
import { lapsesSilently } from '../processors/processors.ts';
import type { Transaction } from './transaction.ts';

/** Authorisations that lapse at processors which tell nobody of it. Pure. */

/** Networks hold what is authorised for seven to thirty-one days. */
const lookEvery = 7 * milliseconds.day;
const lookedAtFor = 36 * milliseconds.day;

type Authorised = Pick<Transaction, 'action' | 'status' | 'processor' | 'createdAt'>;

/** When it is seen next whether an authorisation stands (ISO); undefined where nobody has to look. `at`: ISO, now. */
export const nextLapseLook = ({ action, status, processor, createdAt }: Authorised, at: string): string | undefined => {
  if (action !== 'PREAUTH' || status !== 'OK' || processor === null || !lapsesSilently(processor)) return undefined;
  const next = Date.parse(at) + lookEvery;
  return next - Date.parse(createdAt) > lookedAtFor ? undefined : iso(next);
};
