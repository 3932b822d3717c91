import { Refusal } from '#core/platform/operation/errors.ts';
import type { RuleAction } from '#disputes/alerts/automatic/actions.ts';
import type { AnyAction, Rule, RuleOwner } from '#disputes/alerts/automatic/rule.ts';
import { readBook } from '../rule-store.ts';
import { type Deciding, decidingFields } from './rule-fields.ts';

/** The one rule that a dry run or back-test is about, as if it were live; undefined for all of them. Throws rule_not_found, request_invalid. */
export const findSoleRule = async <Action extends AnyAction = RuleAction>(
  owner: RuleOwner,
  { rule_id: id, rule }: { rule_id?: number | undefined; rule?: Deciding | undefined },
  at: string,
): Promise<Rule<Action> | undefined> => {
  if (rule) {
    const fields = { ...decidingFields<Action>(rule, owner.about), name: '', mode: 'live', enabled: true } as const;
    return { ...owner, ...fields, id: 0, version: 0, createdAt: at, updatedAt: at, by: '' };
  }
  if (id === undefined) return undefined;
  const found = (await readBook<Action>(owner)).rules.find((one) => one.id === id);
  if (!found) throw new Refusal('rule_not_found', 'rule_id: the owner has no such rule.');
  return { ...found, mode: 'live', enabled: true };
};
