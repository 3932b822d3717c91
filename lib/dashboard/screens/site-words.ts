import type { FeesDto } from './site-operations.ts';

type Scheme = FeesDto['fees'][number]['paymethod'];

/** The card schemes, each once: the compiler holds the names against the service's. */
const known: Readonly<Record<Scheme, true>> = {
  VISA: true,
  MASTERCARD: true,
  AMEX: true,
  DISCOVER: true,
  DINERS: true,
  JCB: true,
  UNIONPAY: true,
};
const isScheme = (name: string): name is Scheme => name in known;
export const schemes: readonly Scheme[] = Object.keys(known).filter(isScheme);

/** Names that are typed into one field, with commas or blanks between them. */
export const namesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
