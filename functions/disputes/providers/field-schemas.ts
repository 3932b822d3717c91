import { describeField } from '#core/kernel/schema/field-words.ts';
import { LenientTime } from '#core/kernel/schema/lenient-time.ts';
import { Cosmetic, Informing, LenientArn } from './lenient.ts';

export const ArnField = describeField(Informing(LenientArn), 'The acquirer reference number, 23 digits.');
export const ReasonCodeField = describeField(
  Informing(Cosmetic(20)),
  'Why the cardholder disputes: the scheme’s code.',
);
/** Undefined if it cannot be read: a search for the payment then goes by the time of receipt, and nothing is said of its day. */
export const TransactionTime = describeField(Informing(LenientTime), 'When the transaction was made.');
