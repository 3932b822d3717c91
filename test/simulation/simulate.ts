import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Asked } from './history.ts';
import { tellAll } from './history-workers.ts';
import { corpusFolder, corpusIn, playNightly } from './nightly.ts';
import { type ProfileName, profileNames } from './profiles.ts';
import type { Found } from './worker.ts';

const usage = `npm run simulate -- [--seeds 1000] [--from 0] [--profile ${profileNames.join('|')}] [--workers n]
npm run simulate -- --seed 17 --profile all      tells one history, and which faults its violation needs
npm run simulate -- --seed 17 --each             tells the histories of one seed, in every profile
npm run simulate -- --corpus                     those of the corpus, which npm run test:slow plays
npm run simulate -- --nightly [--minutes 60]     fresh seeds; keeps those that break an invariant, with their stories`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string' },
    seed: { type: 'string' },
    profile: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    /** As many seeds in each profile, rather than one after the other. */
    each: { type: 'boolean', default: false },
    nightly: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '60' },
    /** The histories of the corpus, rather than of seeds. */
    corpus: { type: 'boolean', default: false },
    folder: { type: 'string', default: corpusFolder },
    /** The findings as JSON, for programs. */
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const number = (name: 'seeds' | 'from' | 'seed' | 'workers', otherwise = 0): number => {
  const value = Number(values[name] ?? otherwise);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number\n${usage}`);
  return value;
};

const readProfile = (): ProfileName | undefined => {
  const found = profileNames.find((name) => name === values.profile);
  if (values.profile !== undefined && !found) throw new Error(`There is no profile ${values.profile}\n${usage}`);
  return found;
};

/** The violations found, by invariant: how many, and the first seeds. */
const toReport = (found: readonly Found[]): string[] => {
  const broken = found.flatMap(({ seed, profile, violations }) => violations.map((one) => ({ ...one, seed, profile })));
  return [...Map.groupBy(broken, ({ invariant }) => invariant)].flatMap(([invariant, list]) => [
    `✗ ${invariant} (${list.length})`,
    ...list
      .slice(0, 3)
      .flatMap(({ seed, profile, details }) => [
        `    ${details}`,
        `    npm run simulate -- --seed ${seed} --profile ${profile}`,
      ]),
  ]);
};

const historiesOfSeeds = (): Asked[] => {
  const own = readProfile();
  const among = own ? [own] : profileNames;
  const seeds = Array.from({ length: number('seeds') }, (_, index) => number('from') + index);
  return values.each
    ? among.flatMap((profile) => seeds.map((seed) => ({ seed, profile })))
    : seeds.map((seed, index) => ({ seed, profile: among[index % among.length] ?? 'all' }));
};

/** Seeds that no night before has played: there are fewer histories than seconds. */
const freshSeed = (): number => Math.floor(Date.now() / 100);

const nightly = async (): Promise<void> => {
  const night = { from: number('from', freshSeed()), workers: number('workers'), folder: values.folder };
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  if ((await playNightly({ ...night, minutes: Number(values.minutes), print })) > 0) process.exitCode = 1;
};

const batch = async (): Promise<void> => {
  const histories = values.corpus ? corpusIn(values.folder) : historiesOfSeeds();
  const found: Found[] = [];
  let nextLine = histories.length / 20;
  const began = performance.now();
  const progress = (): string => {
    const seconds = (performance.now() - began) / 1000;
    const bad = found.filter(({ violations }) => violations.length > 0).length;
    return `${found.length} of ${histories.length} histories, ${(found.length / seconds).toFixed(1)}/s, ${bad} with violations`;
  };
  await tellAll(histories, number('workers'), (share) => {
    found.push(...share);
    for (const line of toReport(share)) process.stderr.write(`${line}\n`);
    // On a terminal in place; elsewhere a line for each twentieth.
    if (process.stderr.isTTY) process.stderr.write(`\r${progress()} `);
    else if (found.length >= nextLine) {
      process.stderr.write(`${progress()}\n`);
      nextLine += histories.length / 20;
    }
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  if (values.json) process.stdout.write(JSON.stringify(found));
  else process.stdout.write(`${[progress(), ...toReport(found)].join('\n')}\n`);
  if (found.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
};

const single = async (): Promise<void> => {
  const [{ tell }, { stage }, { shorten }] = await Promise.all([
    import('./history.ts'),
    import('./ready.ts'),
    import('./shorten.ts'),
  ]);
  const seed = number('seed');
  for (const profile of values.each ? profileNames : [readProfile() ?? 'all']) {
    const asked = { seed, profile };
    const { violations } = await tell(asked, stage);
    const [first] = violations;
    const only = first && new Set(await shorten(asked, first.invariant, stage));
    const told = await tell({ ...asked, ...(only && { only }), isTraced: true }, stage);
    const lines = [
      ...told.trace,
      ...(only ? ['', 'It takes these faults:', ...only] : []),
      '',
      `seed ${told.seed}, profile ${told.profile}, digest ${told.digest}`,
      ...told.violations.map(({ invariant, details }) => `✗ ${invariant}: ${details}`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    if (told.violations.length > 0) process.exitCode = 1;
  }
};

if (values.help) process.stdout.write(`${usage}\n`);
else if (values.nightly) await nightly();
else await (values.seed === undefined ? batch() : single());
