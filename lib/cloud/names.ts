import type { Named } from '../build/bundle.ts';

/** How everything deployed is called. `docs/runbook.md` uses these names. */
export type Names = {
  prefix: string;
  /** `forewarn-dev-<name>` */
  of: (name: string) => string;
  functionOf: (one: Named) => string;
};

export const namesOf = (stage: string): Names => {
  const prefix = `forewarn-${stage}`;
  const of = (name: string) => `${prefix}-${name}`;
  return { prefix, of, functionOf: ({ area, name }) => of(`${area}-${name}`) };
};

/** `update-alert` → `UpdateAlert`, for logical ids. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, first: string) => first.toUpperCase());

/** The logical id of a function. */
export const idOf = ({ area, name }: Named): string => `${pascal(area)}${pascal(name)}`;
