import { codeOf, messageOf } from '../lib/local/user-error.ts';

/** `npm run invoke -- alerts/update-alert [event.json]`; exit status 1 if it cannot run or the function fails, be it for one message of a batch. */
const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);
const [, , name, eventFile] = process.argv;

try {
  const { hasFailed, invokables, invokeFunction } = await import('../lib/local/invoke/invoke.ts');
  const { invocationReport, invokablesReport } = await import('../lib/local/invoke/invoke-report.ts');
  if (name === undefined || name.startsWith('-')) print(invokablesReport(invokables()));
  else {
    const invoked = await invokeFunction({ name, eventFile });
    print(invocationReport(name, invoked));
    process.exitCode = hasFailed(invoked.invocation) ? 1 : 0;
  }
} catch (error) {
  const sentence = codeOf(error) === 'ERR_MODULE_NOT_FOUND' ? 'A package is missing; run npm ci.' : messageOf(error);
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
// A function keeps its connections open for the next call, which never comes here.
process.exit();
