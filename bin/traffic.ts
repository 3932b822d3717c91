import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { helpOption, runCommand } from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';
import { readTraffic, startTraffic, stopTraffic, Traffic } from '#lib/operator/traffic.ts';

/** A step of `npm run restore`: stops a stage's traffic, and starts it again as it was. */
const help = `node bin/traffic.ts stop|start --stage <name> [--region <name>]    Stop a stage's calls and workers, or start them again
`;

await runCommand(async (args) => {
  const { values: flags, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { stage: { type: 'string' }, region: { type: 'string' }, ...helpOption },
  });
  const [verb = ''] = positionals;
  if (flags.help || flags.stage === undefined || !['stop', 'start'].includes(verb)) {
    process.stdout.write(help);
    return;
  }
  const { stage, region = process.env['AWS_REGION'] } = flags;
  const settings = region === undefined ? {} : { region };
  const clients = { gateway: new APIGatewayClient(settings), lambda: new LambdaClient(settings) };
  const file = `dist/restore/${stage}-traffic.json`;
  if (verb === 'stop') {
    // What was noted by an earlier run is the traffic before it was stopped.
    const traffic = existsSync(file) ? readFile(file) : await readTraffic(clients, stage);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(traffic, undefined, 2));
    await stopTraffic(clients, stage, traffic);
    return;
  }
  if (!existsSync(file)) throw new UserError(`${file} is missing: the traffic of ${stage} was not stopped from here.`);
  await startTraffic(clients, stage, readFile(file));
  rmSync(file);
});

function readFile(file: string): Traffic {
  return v.parse(Traffic, JSON.parse(readFileSync(file, 'utf8')));
}
