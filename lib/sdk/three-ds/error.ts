import type { ErrorCode } from './v1.d.ts';

/** An error that only a wrong call or a lost connection causes. Its words never repeat what was given. */
export class ForewarnError extends Error {
  override readonly name = 'ForewarnError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const badOption = (message: string): ForewarnError => new ForewarnError('bad_option', message);
