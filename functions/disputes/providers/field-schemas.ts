import * as v from 'valibot';
import { orAbsent } from './fields.ts';
import { Cosmetic, LenientArn } from './lenient.ts';

export const ArnField = v.pipe(orAbsent(LenientArn), v.description('The acquirer reference number, 23 digits.'));
export const ReasonCodeField = v.pipe(
  orAbsent(Cosmetic(20)),
  v.description('Why the cardholder disputes: the scheme’s code.'),
);
