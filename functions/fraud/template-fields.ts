import { Refusal } from '../core/errors.ts';
import type { Thresholds } from './decision.ts';
import { type RuleEffect, type Template, type TemplateFields, type TemplateRule, usualThresholds } from './template.ts';
import { readConditions } from './vocabulary.ts';

export type SentTemplate = {
  scorer?: TemplateFields['scorer'] | undefined;
  rules?: readonly { name: string; conditions: unknown; effect: RuleEffect }[] | undefined;
  thresholds?: { [N in keyof Thresholds]?: number | null | undefined } | undefined;
};

/** A template's content from what was sent, all of it wrong that is wrong. Throws request_invalid. */
export const templateFields = ({ scorer = 'local', rules = [], thresholds = {} }: SentTemplate): TemplateFields => {
  const read = rules.map(({ name, effect, conditions }) => ({ name, effect, conditions: readConditions(conditions) }));
  const sane = thresholdsOf(thresholds);
  const problems = [
    ...read.flatMap(({ conditions }, index) =>
      'problem' in conditions ? [`rules.${index}.${conditions.problem}`] : [],
    ),
    ...(inOrder(sane) ? [] : ['thresholds: review must not be above three_ds, nor three_ds above reject']),
  ];
  if (problems.length > 0) throw new Refusal('request_invalid', problems.join('; '));
  return { scorer, thresholds: sane, rules: read.flatMap((rule) => (isRule(rule) ? [rule] : [])) };
};

type ReadRule = Omit<TemplateRule, 'conditions'> & { conditions: ReturnType<typeof readConditions> };
const isRule = (rule: ReadRule): rule is TemplateRule => !('problem' in rule.conditions);

/** Those that are absent are the usual ones; null: none. */
const thresholdsOf = (sent: NonNullable<SentTemplate['thresholds']>): Thresholds => {
  const given = (name: keyof Thresholds) => (sent[name] === undefined ? usualThresholds[name] : sent[name]);
  return { review: given('review'), three_ds: given('three_ds'), reject: given('reject') };
};

const inOrder = ({ review, three_ds, reject }: Thresholds): boolean => {
  const set = [review, three_ds, reject].filter((one) => one !== null);
  return set.every((one, index) => index === 0 || (set[index - 1] ?? 0) <= one);
};

/** A template's content with some of it sent anew, checked together. Throws request_invalid. */
export const changedTemplate = (template: TemplateFields, sent: SentTemplate): TemplateFields =>
  templateFields({
    scorer: sent.scorer ?? template.scorer,
    rules: sent.rules ?? template.rules,
    thresholds: { ...template.thresholds, ...given(sent.thresholds) },
  });

const given = (thresholds: SentTemplate['thresholds'] = {}) =>
  Object.fromEntries(Object.entries(thresholds).filter(([, value]) => value !== undefined));

/** A template on the wire. */
export const toTemplateDto = ({ ftid, version, scorer, rules, thresholds, updatedAt, by }: Template) => ({
  id: ftid,
  version,
  scorer,
  rules: rules.map(({ name, conditions, effect }) => ({ name, conditions: { ...conditions }, effect })),
  thresholds,
  updated_at: updatedAt,
  updated_by: by,
});
