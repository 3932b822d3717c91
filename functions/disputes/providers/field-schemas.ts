import * as v from 'valibot';
import { LenientTime } from '#core/kernel/schema/lenient-time.ts';
import { Cosmetic, Informing, LenientArn } from './lenient.ts';

export const ArnField = v.pipe(Informing(LenientArn), v.description('The acquirer reference number, 23 digits.'));
export const ReasonCodeField = v.pipe(
  Informing(Cosmetic(20)),
  v.description('Why the cardholder disputes: the scheme’s code.'),
);
/** Undefined if it cannot be read: a search for the payment then goes by the time of receipt, and nothing is said of its day. */
export const TransactionTime = v.pipe(Informing(LenientTime), v.description('When the transaction was made.'));
