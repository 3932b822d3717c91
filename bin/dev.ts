import { codeOf, messageOf, UserError } from '../lib/local/user-error.ts';

/** One sentence of what is wrong, and what to do about it where that is known. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof UserError) return error.message;
  if (codeOf(error) === 'ERR_MODULE_NOT_FOUND') return 'A package is missing; run npm ci.';
  return `The local stack has failed: ${messageOf(error)}`;
};

try {
  // Loaded here and not above, so that a missing package is told in a sentence too.
  const { runDev } = await import('../lib/local/run-dev.ts');
  await runDev(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exit(1);
}
