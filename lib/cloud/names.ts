import type { Named } from '#lib/build/bundle.ts';

/** An operation or a worker, as far as its name in the cloud goes. */
type Declared = Named & { on?: unknown };

/** The names of everything deployed. `docs/runbook.md` uses these names. */
export type Names = {
  prefix: string;
  /** `forewarn-dev-<name>` */
  of: (name: string) => string;
  /** `forewarn-dev-<area>_<name>` of an operation, `forewarn-dev-<area>-<name>` of a worker. */
  functionOf: (one: Declared) => string;
  /** `forewarn-dev/<name>` */
  alarmOf: (name: string) => string;
};

export const stageNames = (stage: string): Names => {
  const prefix = `forewarn-${stage}`;
  const of = (name: string) => `${prefix}-${name}`;
  return { prefix, of, functionOf: (one) => of(deployedName(one)), alarmOf: (name) => `${prefix}/${name}` };
};

/**
 * Returns the part of a function's name after the prefix. Operations have a separator of their own: the gateway may invoke whatever has it,
 * and no name of a nested stack is one that the main stack ever used.
 */
export const deployedName = (one: Declared): string =>
  one.on === undefined ? `${one.area}_${one.name}` : `${deployedArea(one)}-${one.name}`;

/**
 * The area in which a worker was first deployed; it keeps its name and logical id when it moves to another. Under a new one it would be
 * another function with another event source, and a new event source reads a whole day of the stream again.
 */
const deployedAreas: Readonly<Record<string, string | undefined>> = {
  'advance-enrollment': 'enrollments',
  authorizer: 'auth',
  counter: 'core',
  deadline: 'alerts',
  'match-unmatched': 'alerts',
  decide: 'rules',
  deliver: 'notifications',
  router: 'notifications',
  'send-mail': 'notifications',
  settle: 'transactions',
  'settle-refunds': 'refunds',
  sweep: 'notifications',
  'record-key-requests': 'auth',
  'record-lookups': 'orders',
  'look-at-disputes': 'chargebacks',
  'decide-chargebacks': 'chargebacks',
  'run-back-tests': 'rules',
  'import-history': 'history',
  'pull-provider-a': 'outcomes',
  'tell-provider-a': 'outcomes',
  'tell-provider-b': 'outcomes',
};

const deployedArea = ({ area, name, on }: Declared): string =>
  on === undefined ? area : (deployedAreas[name] ?? area);

/** `update-alert` → `UpdateAlert`, for logical ids. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, first: string) => first.toUpperCase());

/** The logical id of a function. */
export const constructId = (one: Declared): string => `${pascal(deployedArea(one))}${pascal(one.name)}`;
