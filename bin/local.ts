import { parseArgs } from 'node:util';
import { codeIn, stackFailure } from '#lib/local/user-error.ts';

const help = `npm start    The whole service on this machine, from the same template that deploys

It takes no options, but looks at the environment:

  PORT         Where it listens (default: 3000; 0: any that is free)
  BIND_ADDRESS At which IP address it listens (default: 127.0.0.1; 0.0.0.0 lets others in, who can read the demo's credentials)
  DATA_DIR     Where it keeps its state (default: .local/)
  START_TIME   What time it starts at, such as 2026-05-02T10:00:00Z (default: now); for a new DATA_DIR
  TIME_LIMITS  off: functions may take as long as they need, on a slow machine (default: on)
`;

const startError = (error: unknown): string =>
  codeIn(error)?.startsWith('ERR_PARSE_ARGS')
    ? `npm start takes no such argument (${process.argv.slice(2).join(' ')}); see npm start -- --help.`
    : stackFailure(error);

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) process.stdout.write(help);
  else {
    // Loaded here and not above, so that a missing package is also reported in a sentence.
    const { runLocal } = await import('#lib/local/run.ts');
    await runLocal();
  }
  process.exit(0);
} catch (error) {
  process.stderr.write(`${startError(error)}\n`);
  process.exit(1);
}
