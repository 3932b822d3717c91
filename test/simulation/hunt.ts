import { switchOn } from './plant.ts';
import { planted } from './planted.ts';

/** Lets the simulation catch each planted fault, and says as JSON in which history it did. */

export type Caught = { name: string; histories: number; seed: number | null; invariants: string[] };

const mostHistories = Number(process.env['MOST_HISTORIES'] ?? 300);

const [{ tell }, { keepSecrets }, { setStage }] = await Promise.all([
  import('./history.ts'),
  import('./modules.ts'),
  import('./setup.ts'),
]);
const stage = await setStage();
await keepSecrets();

const hunt = async ({ name, profile }: (typeof planted)[number]): Promise<Caught> => {
  for (let seed = 0; seed < mostHistories; seed += 1) {
    const { violations } = await tell({ seed, profile }, stage);
    if (violations.length === 0) continue;
    const invariants = [...new Set(violations.map(({ invariant }) => invariant))];
    return { name, histories: seed + 1, seed, invariants };
  }
  return { name, histories: mostHistories, seed: null, invariants: [] };
};

const wanted = process.argv.slice(2);
const caught: Caught[] = [];
for (const fault of planted.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  switchOn(fault.name);
  const found = await hunt(fault);
  caught.push(found);
  process.stderr.write(
    `${found.seed === null ? '✗' : '✓'} ${found.name}: ${found.histories}, ${found.invariants.join('; ')}\n`,
  );
}
process.stdout.write(JSON.stringify(caught, null, 1));
