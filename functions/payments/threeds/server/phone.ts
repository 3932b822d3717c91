import { internationalPhone } from '#payments/processors/payer-forms.ts';

/**
 * Calling codes of ITU-T E.164: those of one and of two digits; all others have three.
 * https://www.itu.int/dms_pub/itu-t/opb/sp/T-SP-E.164D-2016-PDF-E.pdf
 */
const oneDigit = /^[17]/;
const twoDigits = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** A telephone number as EMVCo has it, without its extension. Null unless it begins with its calling code: nothing else tells the country. */
export const toPhoneNumber = (text: string | null): { cc: string; subscriber: string } | null => {
  const digits = internationalPhone(text)?.slice(1);
  if (digits === undefined) return null;
  const length = oneDigit.test(digits) ? 1 : twoDigits.test(digits) ? 2 : 3;
  const [cc, subscriber] = [digits.slice(0, length), digits.slice(length)];
  return subscriber.length > 12 ? null : { cc, subscriber };
};
