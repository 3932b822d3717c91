import { setTimeout as pause } from 'node:timers/promises';
import colours from 'picocolors';
import type { Holding, Progress } from '#core/platform/lists/count-repair-store.ts';
import {
  commandOptions,
  enterTarget,
  type FlagsOf,
  localTargetHelp,
  makeProgram,
  type Program,
  printJson,
  reportProgress,
  type Terminal,
  targetHelp,
} from '#lib/local/command.ts';
import { UserError } from '#lib/local/user-error.ts';

/** `npm run counters`: holds the counts behind lists against their items, and sets them right; and counts into reports what they lack. */
const help = `${colours.bold('npm run counters -- <command> --mid <N> | --all')}    The counts behind totals and offsets

  check              Show which counts differ from the items
  rebuild            Correct them from the lists, while the service runs, and from the alerts what they cost and reports
  reports            Count alerts that no report has counted yet into the days on which they came in
  search             Make alerts, chargebacks, payments and orders findable that no search finds yet

  --mid <N>          The lists of merchant N, its retailers and sites
  --all              Every list: those of all merchants, and administrators' lists of everything
  --json             Print JSON instead, for programs

${targetHelp(21)}
${localTargetHelp}`;

const options = {
  mid: { type: 'string' },
  all: { type: 'boolean' },
  ...commandOptions,
} as const;
type Flags = FlagsOf<typeof options>;

/** Longer than counts take to follow. */
const pauseMilliseconds = 5000;
type Wait = (milliseconds: number) => Promise<unknown>;
const listEntities = async (owner: Holding['owner']): Promise<string[]> => {
  const [{ findInformEntities }, { creditEntity }] = await Promise.all([
    import('#disputes/alerts/search/inform-store.ts'),
    import('#disputes/alerts/cost/cost-row.ts'),
  ]);
  return [
    'ALERT',
    'DELIVERY',
    'SITE',
    'ENROLLMENT',
    'AUDIT',
    'ORDERPLACE',
    'LOOKUP',
    'OUTCOME',
    'CHARGEBACK',
    creditEntity,
    ...(await findInformEntities(owner)),
  ];
};

/** Every merchant that has a site: without one it has nothing that is listed. */
const merchants = async (): Promise<number[]> => {
  const { readSummaries } = await import('#core/platform/lists/count-repair-store.ts');
  const mids = new Set<number>();
  for await (const { mid } of readSummaries<{ mid: number }>({ entity: 'SITE', owner: 'all' })) mids.add(mid);
  return [...mids];
};

/** All facets of what is counted on demand. */
const facetsOfEntity = async (entity: string): Promise<{ facets?: readonly string[] }> => {
  const [{ crossFacets }, { deliveryStates }, { deliveryKinds }, { outcomeStates }, { outcomeProviders }, alerts] =
    await Promise.all([
      import('#core/platform/lists/listing.ts'),
      import('#messaging/webhooks/delivery/delivery.ts'),
      import('#messaging/webhooks/delivery/delivery-policy.ts'),
      import('#disputes/alerts/answer/network-outcome.ts'),
      import('#disputes/providers/providers.ts'),
      import('#disputes/alerts/alert-facets.ts'),
    ]);
  if (entity === 'DELIVERY') return { facets: crossFacets(deliveryStates, deliveryKinds) };
  // Those of retailers.
  if (entity === 'ALERT') return { facets: alerts.allAlertFacets };
  return entity === 'OUTCOME' ? { facets: crossFacets(outcomeStates, outcomeProviders) } : {};
};

/** Yields the merchants' items one after the other, so that memory never holds much more than the largest of the lists. */
async function* findHoldings(wanted: Holding['owner']): AsyncGenerator<Holding> {
  if (wanted === 'all') yield { entity: 'UNMATCHED', owner: 'all' };
  const owners = wanted === 'all' ? (['all', ...(await merchants())] as const) : [wanted];
  for (const owner of owners) {
    for (const entity of await listEntities(owner)) yield { entity, owner, ...(await facetsOfEntity(entity)) };
  }
}

const withProgress = <T>({ stderr }: Terminal, work: (progress: Progress) => Promise<T>): Promise<T> => {
  const progress = { items: 0, lists: 0 };
  return reportProgress(
    () => `${progress.items} items read, ${progress.lists} lists compared`,
    () => work(progress),
    stderr,
  );
};

const printCheck = async (owner: Holding['owner'], json: boolean, terminal: Terminal): Promise<void> => {
  const { stdout } = terminal;
  const { checkCounts } = await import('#core/platform/lists/count-repair-store.ts');
  const { differences, unmarked } = await withProgress(terminal, (progress) =>
    checkCounts(findHoldings(owner), progress),
  );
  const agree = differences.length === 0 && unmarked === 0;
  if (json) {
    printJson({ agree, differences, to_be_counted: unmarked }, stdout);
    terminal.exitCode = agree ? 0 : 1;
    return;
  }
  for (const { key, attribute, counted, found } of differences) {
    stdout.write(`${key.pk} ${key.sk} ${attribute}: counted ${counted}, found ${found}\n`);
  }
  if (agree) {
    stdout.write(colours.green('All counts agree.\n'));
    return;
  }
  stdout.write(colours.red(`${differences.length} counts differ; ${unmarked} items are to be counted anew.\n`));
  terminal.exitCode = 1;
};

/** `wait`: so that counts can follow. */
const rebuild = async (wait: Wait, owner: Holding['owner'], json: boolean, terminal: Terminal): Promise<void> => {
  const { stdout } = terminal;
  const { rebuildCounts } = await import('#core/platform/lists/count-repair-store.ts');
  const { corrected, counted, left } = await withProgress(terminal, (progress) =>
    rebuildCounts(findHoldings(owner), () => wait(pauseMilliseconds), progress),
  );
  const { tallyAll } = await import('#jobs/tally-store.ts');
  await withProgress(terminal, (progress) => tallyAll(owner, progress));
  if (json) {
    printJson({ corrected, counted, changed_meanwhile: left }, stdout);
    return;
  }
  stdout.write(colours.green('What each alert costs and saved agrees with the alerts.\n'));
  stdout.write(colours.green(`${corrected} counts were set right, ${counted} items counted anew.\n`));
  if (left > 0) stdout.write(`${left} changed meanwhile; run it again to be sure of those.\n`);
  if (owner === 'all' || corrected + counted === 0) return;
  stdout.write("If administrators' lists of everything may be wrong too: check --all\n");
};

/** Alerts from before there were reports, and those that the stream has missed. */
const reports = async (owner: Holding['owner'], json: boolean, { stdout, stderr }: Terminal): Promise<void> => {
  const { tallyAll } = await import('#jobs/tally-store.ts');
  const progress = { items: 0 };
  await reportProgress(
    () => `${progress.items} alerts read`,
    () => tallyAll(owner, progress),
    stderr,
  );
  if (json) {
    printJson({ alerts: progress.items }, stdout);
    return;
  }
  stdout.write(colours.green(`The reports have counted ${progress.items} alerts.\n`));
};

/** Rows from before there was a search, and those that the stream has missed. */
const search = async (owner: Holding['owner'], json: boolean, { stdout, stderr }: Terminal): Promise<void> => {
  const { indexMerchant } = await import('#disputes/search/search-backfill-store.ts');
  const progress = { items: 0 };
  await reportProgress(
    () => `${progress.items} rows read`,
    async () => {
      for (const mid of owner === 'all' ? await merchants() : [owner]) await indexMerchant(mid, progress);
    },
    stderr,
  );
  if (json) {
    printJson({ rows: progress.items }, stdout);
    return;
  }
  stdout.write(colours.green(`The search finds ${progress.items} rows.\n`));
};

const askedOwner = ({ mid = '', all = false }: Flags): Holding['owner'] => {
  if (all ? mid !== '' : !/^[1-9]\d{0,14}$/.test(mid)) throw new UserError('Say whose lists: --mid <N>, or --all.');
  return all ? 'all' : Number(mid);
};

const ofOwner = (work: (owner: Holding['owner'], json: boolean, terminal: Terminal) => Promise<void>) => ({
  run: async (flags: Flags, _: string, terminal: Terminal): Promise<void> => {
    const owner = askedOwner(flags);
    enterTarget(flags);
    await work(owner, flags.json, terminal);
  },
});

export const counters = (wait: Wait = pause): Program =>
  makeProgram({
    script: 'counters',
    help,
    options,
    commands: {
      check: ofOwner(printCheck),
      rebuild: ofOwner((owner, json, terminal) => rebuild(wait, owner, json, terminal)),
      reports: ofOwner(reports),
      search: ofOwner(search),
    },
  });
