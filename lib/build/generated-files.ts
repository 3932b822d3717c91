/** The composition and comparison of files that `npm run fix` writes. */

export const head =
  '// Written by npm run fix, from the folders of functions/payments/processors that declare a processor.\n';

/** Plain data as a literal. */
export const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(
    ([name, one]) => `${/^\w+$/.test(name) ? name : literal(name)}: ${literal(one)}`,
  );
  return `{ ${entries.join(', ')} }`;
};

/** A text without what Biome decides: blanks and line ends outside of quotes, commas at the end of lists. */
export const withoutFormat = (text: string): string =>
  text.replace(/('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|\s+|,(?=\s*[}\]])/g, (_, quoted?: string) => quoted ?? '');
