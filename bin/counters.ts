import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import colours from 'picocolors';
import type { Holding, Progress } from '../functions/core/count-repair-store.ts';
import { enterTarget, runCommand, targetOptions, telling } from '../lib/local/command.ts';
import { UserError } from '../lib/local/user-error.ts';

/** `npm run counters`: holds the counts behind lists against their items, and sets them right. */
const help = `${colours.bold('npm run counters -- <command> --mid <N> | --all')}    The counts behind totals and offsets

  check              Say which counts differ from the items
  rebuild            Set them right, from the lists and while the service runs

  --mid <N>          The lists of merchant N, its retailers and sites
  --all              Every list: those of all merchants, and administrators' lists of everything

  --stage <name>     A deployed stack, with the AWS credentials of your environment
  --region <name>    Where it is deployed (default: AWS_REGION)
  --table <name>     Its table, if not forewarn-<stage>

Without --stage it is the running local stack, whose data is in DATA_DIR (default: .local/).
`;

const options = {
  mid: { type: 'string' },
  all: { type: 'boolean' },
  ...targetOptions,
  help: { type: 'boolean', short: 'h' },
} as const;

/** Longer than counts take to follow. */
const pauseMilliseconds = 5000;
const entitiesOf = async (owner: Holding['owner']): Promise<string[]> => {
  const { informEntitiesOf } = await import('../functions/alerts/search/inform-store.ts');
  return [
    'ALERT',
    'DELIVERY',
    'SITE',
    'ENROLLMENT',
    'USER',
    'ORDERPLACE',
    'LOOKUP',
    ...(await informEntitiesOf(owner)),
  ];
};

/** Every merchant that has a site: without one it has nothing that is listed. */
const merchants = async (): Promise<number[]> => {
  const { summariesOf } = await import('../functions/core/count-repair-store.ts');
  const mids = new Set<number>();
  for await (const { mid } of summariesOf<{ mid: number }>({ entity: 'SITE', owner: 'all' })) mids.add(mid);
  return [...mids];
};

/** What is looked at, one merchant after the other, so that never much more is held than the largest of the lists. */
async function* holdingsOf(wanted: Holding['owner']): AsyncGenerator<Holding> {
  if (wanted === 'all') yield { entity: 'UNMATCHED', owner: 'all' };
  const owners = wanted === 'all' ? (['all', ...(await merchants())] as const) : [wanted];
  for (const owner of owners) for (const entity of await entitiesOf(owner)) yield { entity, owner };
}

const withProgress = <T>(work: (progress: Progress) => Promise<T>): Promise<T> => {
  const progress = { items: 0, lists: 0 };
  return telling(
    () => `${progress.items} items read, ${progress.lists} lists compared`,
    () => work(progress),
  );
};

const check = async (owner: Holding['owner']): Promise<void> => {
  const { checkCounts } = await import('../functions/core/count-repair-store.ts');
  const { differences, unmarked } = await withProgress((progress) => checkCounts(holdingsOf(owner), progress));
  for (const { key, attribute, counted, found } of differences) {
    process.stdout.write(`${key.pk} ${key.sk} ${attribute}: counted ${counted}, found ${found}\n`);
  }
  if (differences.length === 0 && unmarked === 0) {
    process.stdout.write(colours.green('All counts agree.\n'));
    return;
  }
  process.stdout.write(colours.red(`${differences.length} counts differ; ${unmarked} items are to be counted anew.\n`));
  process.exitCode = 1;
};

const rebuild = async (owner: Holding['owner']): Promise<void> => {
  const { rebuildCounts } = await import('../functions/core/count-repair-store.ts');
  const { corrected, counted, left } = await withProgress((progress) =>
    rebuildCounts(holdingsOf(owner), () => wait(pauseMilliseconds), progress),
  );
  process.stdout.write(colours.green(`${corrected} counts were set right, ${counted} items counted anew.\n`));
  if (left > 0) process.stdout.write(`${left} changed meanwhile; run it again to be sure of those.\n`);
  if (owner === 'all' || corrected + counted === 0) return;
  process.stdout.write("If administrators' lists of everything may be wrong too: check --all\n");
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
  if (!command || rest.length > 0) throw new UserError('The commands are check and rebuild; see --help.');
  const { mid = '', all = false } = flags;
  if (all ? mid !== '' : !/^[1-9]\d{0,14}$/.test(mid)) throw new UserError('Say whose lists: --mid <N>, or --all.');
  enterTarget(flags);
  await command(all ? 'all' : Number(mid));
};

await runCommand(main);
