/** States of addresses. A code is required where banks and carriers use one; elsewhere they are free text. */

const twoLetters = { pattern: /^[a-z]{2}$/i, words: 'two letters' };
const codes: Readonly<Record<string, { pattern: RegExp; words: string; example: string }>> = {
  US: { ...twoLetters, example: 'NY' },
  CA: { ...twoLetters, example: 'ON' },
  AU: { pattern: /^[a-z]{2,3}$/i, words: 'two or three letters', example: 'NSW' },
};

type Addresses = {
  state?: string | undefined;
  country?: string | undefined;
  shipping_state?: string | undefined;
  shipping_country?: string | undefined;
};

/**
 * Describes the problems of a call's states, field by field; one that is absent, or without a country, is not checked. Countries: two
 * letters in upper case.
 */
export const stateProblems = ({ state, country, shipping_state, shipping_country }: Addresses): string[] => [
  ...stateFaults('state', state, country),
  ...stateFaults('shipping_state', shipping_state, shipping_country),
];

const stateFaults = (field: string, state: string | undefined, country: string | undefined): string[] => {
  const code = codes[country ?? ''];
  if (state === undefined || code === undefined || code.pattern.test(state)) return [];
  return [`${field}: must be ${code.words} for ${country}, such as ${code.example}`];
};
