import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import colours from 'picocolors';
import { namesOf } from '../lib/cloud/names.ts';
import { dataFolder, enterStack, readEndpoints } from '../lib/local/endpoints.ts';
import { messageOf, PlainError } from '../lib/local/plain-error.ts';

/** `npm run counters`: holds the counts of a merchant's lists against its items, and sets them right. */
const help = `${colours.bold('npm run counters -- <command> --mid <N>')}    The counts behind totals and offsets

  check              Say which counts of merchant N differ from its items
  rebuild            Set them right, from the lists and while the service runs

  --stage <name>     A deployed stack, with the AWS credentials of your environment
  --region <name>    Where it is deployed (default: AWS_REGION)
  --table <name>     Its table, if not forewarn-<stage>

Without --stage it is the running local stack, whose data is in DATA_DIR (default: .local/).
`;

const options = {
  mid: { type: 'string' },
  stage: { type: 'string' },
  region: { type: 'string' },
  table: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Longer than counts take to follow. */
const pauseMilliseconds = 5000;

/** Points the AWS clients, which are made when the stores are first imported, at the stack that is meant. */
const enter = ({ stage, region, table }: { stage?: string; region?: string; table?: string }): void => {
  if (stage !== undefined) {
    const AWS_REGION = region ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'];
    if (!AWS_REGION) throw new PlainError('Say where the stack is deployed: --region, or AWS_REGION.');
    Object.assign(process.env, { AWS_REGION, TABLE_NAME: table ?? namesOf(stage).prefix });
    return;
  }
  const endpoints = readEndpoints();
  if (!endpoints) {
    throw new PlainError(
      `No local stack runs with the data folder ${dataFolder()}; start it with npm start, or name a deployed one with --stage.`,
    );
  }
  enterStack(endpoints);
};

const entitiesOf = async (mid: number): Promise<string[]> => {
  const { informEntitiesOf } = await import('../functions/alerts/inform-store.ts');
  return ['ALERT', 'DELIVERY', 'SITE', 'ENROLLMENT', ...(await informEntitiesOf(mid))];
};

const check = async (mid: number): Promise<void> => {
  const { checkCounts } = await import('../functions/core/count-repair-store.ts');
  let sum = 0;
  for (const entity of await entitiesOf(mid)) {
    for (const { key, attribute, counted, found } of await checkCounts(entity, mid)) {
      sum += 1;
      process.stdout.write(`${key.pk} ${key.sk} ${attribute}: counted ${counted}, found ${found}\n`);
    }
  }
  process.stdout.write(sum === 0 ? colours.green('All counts agree.\n') : colours.red(`${sum} counts differ.\n`));
  if (sum > 0) process.exitCode = 1;
};

const rebuild = async (mid: number): Promise<void> => {
  const { checkCounts, rebuildCounts } = await import('../functions/core/count-repair-store.ts');
  let [corrected, left] = [0, 0];
  for (const entity of await entitiesOf(mid)) {
    // Most lists agree, and need no pause.
    const isRight = (await checkCounts(entity, mid)).length === 0;
    const done = await rebuildCounts(entity, mid, isRight ? async () => undefined : () => wait(pauseMilliseconds));
    corrected += done.corrected;
    left += done.left;
  }
  process.stdout.write(colours.green(`${corrected} counts were set right.\n`));
  if (left === 0) return;
  process.stdout.write(`${left} changed meanwhile; run it again to be sure of those.\n`);
};

const commands = new Map([
  ['check', check],
  ['rebuild', rebuild],
]);

const main = async (args: string[]): Promise<void> => {
  const { values: flags, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [name, ...rest] = positionals;
  if (flags.help || name === undefined) {
    process.stdout.write(help);
    return;
  }
  const command = commands.get(name);
  if (!command || rest.length > 0) throw new PlainError('The commands are check and rebuild; see --help.');
  const { mid = '' } = flags;
  if (!/^[1-9]\d{0,14}$/.test(mid)) throw new PlainError('Say whose lists: --mid <N>.');
  enter(flags);
  await command(Number(mid));
};

try {
  await main(process.argv.slice(2));
} catch (error) {
  const said = error instanceof PlainError ? error.message : `It failed: ${messageOf(error).split('\n')[0]}`;
  process.stderr.write(`${colours.red(said)}\n`);
  process.exitCode = 1;
}
