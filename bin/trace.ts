import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import colours from 'picocolors';
import { helpOption, jsonOption, printJson, runCommand } from '#lib/local/command.ts';
import { dataFolder } from '#lib/local/endpoints.ts';
import { logFile } from '#lib/local/functions/function-log.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run trace`: an alert's life from the logs. */
const help = `${colours.bold('npm run trace -- <alert id>')}    Shows an alert's whole life from the logs, with the time between its steps

  --stage <name>    A deployed stage, by CloudWatch Logs Insights (it bills the logs that it reads)
  --region <name>   Where it is deployed (default: AWS_REGION)
  --days <number>   How far back (default: 7)
  --json            Prints JSON instead, for programs

Without --stage it reads the functions' log of the local stack, whose data is in DATA_DIR (default: .local/).
`;

const options = {
  stage: { type: 'string' },
  region: { type: 'string' },
  days: { type: 'string', default: '7' },
  ...jsonOption,
  ...helpOption,
} as const;

const localLines = (): string[] => {
  const file = logFile(dataFolder());
  const files = [`${file}.1`, file].filter((one) => existsSync(one));
  if (files.length === 0)
    throw new UserError(`There is no log in ${dataFolder()}; start the local stack with npm start.`);
  return files.flatMap((one) => readFileSync(one, 'utf8').split('\n'));
};

const stageLines = async (stage: string, alertId: number, days: number, region?: string): Promise<string[]> => {
  const [{ CloudWatchLogsClient }, { findAlertLines }, { stageNames }] = await Promise.all([
    import('@aws-sdk/client-cloudwatch-logs'),
    import('#lib/operator/trace/insights-client.ts'),
    import('#lib/cloud/names.ts'),
  ]);
  const now = Date.now();
  return findAlertLines({
    ...{ prefix: stageNames(stage).prefix, alertId, now, since: now - days * 24 * 3600 * 1000 },
    logs: new CloudWatchLogsClient({ ...(region !== undefined && { region }) }),
    wait: () => setTimeout(1000),
  });
};

await runCommand(async (args) => {
  const { values: flags, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [text] = positionals;
  if (flags.help || text === undefined) {
    process.stdout.write(help);
    return;
  }
  const [alertId, days] = [Number(text), Number(flags.days)];
  if (!Number.isSafeInteger(alertId) || alertId < 1) throw new UserError('Give the number of an alert.');
  if (!(days > 0)) throw new UserError('--days must be a number above 0.');
  const lines = flags.stage === undefined ? localLines() : await stageLines(flags.stage, alertId, days, flags.region);
  const { alertSteps, traceReport } = await import('#lib/operator/trace/alert-trace.ts');
  const steps = alertSteps(lines, alertId);
  if (flags.json) printJson({ alertId, steps });
  else process.stdout.write(`${traceReport(alertId, steps).join('\n')}\n`);
  if (steps.length === 0) process.exitCode = 1;
});
