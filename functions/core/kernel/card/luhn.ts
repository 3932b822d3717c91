/** Checks whether the last digit is the check digit of those before it: ISO/IEC 7812-1, which card numbers follow. */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let position = 0; position < digits.length; position += 1) {
    const digit = Number(digits[digits.length - 1 - position]);
    const doubled = position % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** The digits with their check digit appended. */
export const withLuhnDigit = (digits: string): string =>
  `${digits}${[...'0123456789'].find((last) => passesLuhn(`${digits}${last}`)) ?? ''}`;
