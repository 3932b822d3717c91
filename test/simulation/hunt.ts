import { switchOn } from './plant.ts';
import { type Planted, planted } from './planted.ts';

/** Lets the simulation catch each planted fault, or those that are named, and says as JSON in which history it did. */

export type Caught = { name: string; histories: number; seed: number | null; invariants: string[] };

const mostHistories = 300;

const [{ tell }, { keepSecrets }, { setStage }] = await Promise.all([
  import('./history.ts'),
  import('./modules.ts'),
  import('./setup.ts'),
]);
const stage = await setStage();
await keepSecrets();

const hunt = async ({ name, profile, breaks, seed: first }: Planted): Promise<Caught> => {
  for (let histories = 1; histories <= mostHistories; histories += 1) {
    const seed = first + histories - 1;
    const { violations } = await tell({ seed, profile }, stage);
    const invariants = [...new Set(violations.map(({ invariant }) => invariant))];
    if (invariants.includes(breaks)) return { name, histories, seed, invariants };
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
