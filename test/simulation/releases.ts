import { currentRun } from './world/lambda.ts';
import { type Random, seedRandom } from './world/random.ts';
import type { World } from './world/world.ts';

/** Which release handles each run of a function while two are deployed: what aliases and CodeDeploy do (docs/decisions/0161). */

const [second, minute, hour] = [1000, 60_000, 3_600_000];
/** As `CodeDeployDefault.LambdaCanary10Percent5Minutes` has it. */
const [canaryShare, canaryTime] = [0.1, 5 * minute];

type Release = 'previous' | 'current';
type Deployment = { at: number; to: Release };
type Course = {
  /** The release that set the stage. */
  first: Release;
  /** `null`: each run is of either release at random, as if a deployment stopped half way. */
  deployments: readonly Deployment[] | null;
  /** The time (ms) that CloudFormation takes to replace one function after another. */
  spread: number;
};

const kinds = ['upgrade', 'rollback', 'rollback', 'return', 'mixture', 'mixture'] as const;

const deploy = (kind: (typeof kinds)[number], at: number, random: Random): readonly Deployment[] | null => {
  const back = at + random.next() * (random.chance(0.5) ? 10 * second : 6 * minute);
  switch (kind) {
    case 'upgrade':
      return [{ at, to: 'current' }];
    case 'return':
      return [{ at, to: 'previous' }];
    case 'mixture':
      return null;
    default: {
      const again = { at: back + random.next() * 30 * hour, to: 'current' } as const;
      return [{ at, to: 'current' }, { at: back, to: 'previous' }, ...(random.chance(0.5) ? [again] : [])];
    }
  }
};

/** Draws which release a history begins with, and what is deployed when. */
export const drawCourse = (seed: number, start: number): Course => {
  const random = seedRandom(seed, 'releases');
  const kind = random.pick(kinds);
  const at = start + random.next() * (random.chance(0.6) ? 10 * second : 40 * hour);
  const isReturn = kind === 'return' || (kind === 'mixture' && random.chance(0.5));
  return {
    first: isReturn ? 'current' : 'previous',
    deployments: deploy(kind, at, random),
    spread: random.chance(0.5) ? 10 * second : 10 * minute,
  };
};

/** Decides whether the previous release handles the present run of a function. */
export const isPrevious = (world: World, course: Course): boolean => {
  const { seed, timeline, faults } = world;
  const { name = '', place = '' } = currentRun() ?? {};
  const share = previousShare(course, name, { seed, now: timeline.now });
  const is = faults.strikesAt(share, 'previous release', place, seedRandom(seed, `release at ${place}`));
  if (is) world.note(`${place} is of the previous release`);
  return is;
};

/** The share of a function's runs that are of the previous release. Half of the functions are moved at once, half as a canary first. */
const previousShare = (
  { first, deployments, spread }: Course,
  name: string,
  { seed, now }: { seed: number; now: number },
): number => {
  if (!deployments) return 0.5;
  let share = first === 'previous' ? 1 : 0;
  for (const [index, { at, to }] of deployments.entries()) {
    const random = seedRandom(seed, `deployment ${index} of ${name}`);
    const since = now - (at + random.next() * spread);
    if (since < 0) continue;
    const moved = random.chance(0.5) && since < canaryTime ? canaryShare : 1;
    share += ((to === 'previous' ? 1 : 0) - share) * moved;
  }
  return share;
};
