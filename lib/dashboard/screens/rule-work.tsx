import type { DryRunSum } from './dry-run.tsx';
import type { RuleRow } from './rule-operations.ts';

type Owner = { sid?: number; mid?: number };

/** So many trials are run for one screen, each over all alerts of 30 days. */
const maxTrials = 4;

type Tried = { owner: Owner; rule_id: number; version: number };

/** The rules to be tried. */
export const shadowRules = (groups: readonly { owner: Owner; rules: readonly RuleRow[] }[]): Tried[] =>
  groups
    .flatMap(({ owner, rules }) =>
      rules
        .filter(({ enabled, mode }) => enabled && mode === 'shadow')
        .map(({ rule_id, version }) => ({ owner, rule_id, version })),
    )
    .slice(0, maxTrials);

export type Trials = ReadonlyMap<number, DryRunSum>;

/** Runs these rules on the alerts of the last 30 days. */
export const tryRules = async (tried: readonly Tried[]): Promise<Trials> => {
  const { runDry } = await import('./dry-run.tsx');
  const runs = await Promise.all(
    tried.map(async ({ owner: { sid, mid }, rule_id }) => {
      const owner = { ...(sid !== undefined && { sid }), ...(mid !== undefined && { mid }) };
      return [rule_id, await runDry({ ...owner, rule_id }, () => undefined)] as const;
    }),
  );
  return new Map(runs);
};
