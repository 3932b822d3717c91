import { switchOn } from './plant.ts';
import { type Planted, planted } from './planted.ts';

/** Lets the simulation catch each planted fault, or those that are named, and says as JSON in which history it did. */

export type Caught = {
  name: string;
  histories: number;
  seed: number | null;
  invariants: string[];
  /** For a violation that shows only with faults: how many there are, which of them it needs, and the result with fewer. */
  shortened?: { struck: number; needed: readonly string[]; isBroken: boolean; isBrokenByLess: boolean };
};

/** Shows only where a message is lost. */
const shortenedFault = 'a sweep sends no e-mails';

/** These and no others are looked through, from where it was found last. */
const maxHistories = 300;

const [{ tell }, { stage }, { shorten }] = await Promise.all([
  import('./history.ts'),
  import('./ready.ts'),
  import('./shorten.ts'),
]);

const shortest = async (seed: number, profile: Planted['profile'], breaks: string) => {
  const asked = { seed, profile };
  const needed = await shorten(asked, breaks, stage);
  const isBrokenBy = async (only: readonly string[]): Promise<boolean> =>
    (await tell({ ...asked, only: new Set(only) }, stage)).violations.some(({ invariant }) => invariant === breaks);
  let isBrokenByLess = false;
  for (const one of needed) isBrokenByLess ||= await isBrokenBy(needed.filter((other) => other !== one));
  const { struck } = await tell(asked, stage);
  return { struck: struck.length, needed, isBroken: await isBrokenBy(needed), isBrokenByLess };
};

const hunt = async ({ name, profile, breaks, seed: first }: Planted): Promise<Caught> => {
  for (let histories = 1; histories <= maxHistories; histories += 1) {
    const seed = (first + histories - 1) % maxHistories;
    const { violations } = await tell({ seed, profile }, stage);
    const invariants = [...new Set(violations.map(({ invariant }) => invariant))];
    if (!invariants.includes(breaks)) continue;
    const found = { name, histories, seed, invariants };
    return name === shortenedFault ? { ...found, shortened: await shortest(seed, profile, breaks) } : found;
  }
  return { name, histories: maxHistories, seed: null, invariants: [] };
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
// Calls that the last histories cut off would log behind it.
process.stdout.write(JSON.stringify(caught, null, 1), () => process.exit());
