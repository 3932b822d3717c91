import { stackFailure } from '#lib/local/user-error.ts';

try {
  // Loaded here and not above, so that a missing package is also reported in a sentence.
  const { runDev } = await import('#lib/local/run-dev.ts');
  await runDev(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  process.stderr.write(`${stackFailure(error)}\n`);
  process.exit(1);
}
