import { translate } from '../language/translate.ts';

const results = {
  '001': translate('refunded'),
  '002': translate('not refunded'),
  '003': translate('not settled'),
} as const;

/** Returns the meaning of the second half of a reason code. */
export const resultWords = (code: string): string => results[code.slice(4) as keyof typeof results] ?? '';

/** Checks whether a reason code says that the cardholder was refunded. */
export const statesRefund = (code: string): boolean => code.endsWith('.001');

/** Returns who made the refund that an answer states, if it was not Forewarn. */
export const refundMakerText = (maker: string | null): string =>
  maker === 'merchant' ? translate('reported by merchant') : maker === 'network' ? translate('by the network') : '';

/** A reason code, with what it says in words where that is known. */
export const reasonCodeText = (code: string): string => [resultWords(code), `(${code})`].filter(Boolean).join(' ');
