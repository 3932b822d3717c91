/**
 * Calling codes of ITU-T E.164: those of one and of two digits; all others have three.
 * https://www.itu.int/dms_pub/itu-t/opb/sp/T-SP-E.164D-2016-PDF-E.pdf
 */
const oneDigit = /^[17]/;
const twoDigits = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** A telephone number as EMVCo has it. Null unless it begins with its calling code: nothing else tells the country. */
export const toPhoneNumber = (text: string | null): { cc: string; subscriber: string } | null => {
  const international = /^(?:\+|00)/.test(text?.trim() ?? '');
  const digits = (text ?? '')
    .replace('(0)', '')
    .replace(/^\s*00/, '')
    .replace(/\D/g, '');
  if (!international || digits.startsWith('0') || digits.length < 7 || digits.length > 15) return null;
  const length = oneDigit.test(digits) ? 1 : twoDigits.test(digits) ? 2 : 3;
  const [cc, subscriber] = [digits.slice(0, length), digits.slice(length)];
  return subscriber.length > 12 ? null : { cc, subscriber };
};
