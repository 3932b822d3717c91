import * as v from 'valibot';
import { Cosmetic, LenientArn } from './lenient.ts';
import { orAbsent } from './provider-fields.ts';

export const ArnField = v.pipe(orAbsent(LenientArn), v.description('The acquirer reference number, 23 digits.'));
export const ReasonCodeField = v.pipe(
  orAbsent(Cosmetic(20)),
  v.description('Why the cardholder disputes: the scheme’s code.'),
);
