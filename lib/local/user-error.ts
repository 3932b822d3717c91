/** A failure whose message is a whole, plain sentence for the person at the terminal; no stack trace helps with it. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Returns an error's message, whatever was thrown. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** One sentence about why the local stack ended, and what to do where that is known. */
export const stackFailure = (error: unknown): string => {
  if (error instanceof UserError) return error.message;
  if (codeIn(error) === 'ERR_MODULE_NOT_FOUND') return 'A package is missing; run npm ci.';
  return `The local stack has failed: ${errorText(error)}`;
};

/** The code of a failed system or package call, such as `ENOENT`. */
export const codeIn = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
