import * as v from 'valibot';
import { Cosmetic, Informing, LenientArn } from './lenient.ts';

export const ArnField = v.pipe(Informing(LenientArn), v.description('The acquirer reference number, 23 digits.'));
export const ReasonCodeField = v.pipe(
  Informing(Cosmetic(20)),
  v.description('Why the cardholder disputes: the scheme’s code.'),
);
