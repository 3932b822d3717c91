import { dropUndefined } from '#core/kernel/drop-undefined.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Thresholds } from '../check/fraud-decision.ts';
import { currenciesNamed } from '../check/rule-currencies.ts';
import type { ScorerName } from '../scorers/scorer.ts';
import { readFraudConditions } from './fraud-vocabulary.ts';
import {
  type OtherCurrencies,
  type RuleEffect,
  type Template,
  type TemplateFields,
  type TemplateRule,
  usualOtherCurrencies,
  usualThresholds,
} from './template.ts';

export type SentTemplate = {
  scorer?: TemplateFields['scorer'] | undefined;
  fallbacks?: TemplateFields['fallbacks'] | undefined;
  no_answer?: TemplateFields['noAnswer'] | undefined;
  rules?:
    | readonly {
        name: string;
        conditions: unknown;
        effect: RuleEffect;
        other_currencies?: OtherCurrencies | undefined;
      }[]
    | undefined;
  thresholds?: { [N in keyof Thresholds]?: number | null | undefined } | undefined;
};

/** A template's content from what was sent. Throws request_invalid, naming everything that is wrong. */
export const templateFields = (sent: SentTemplate): TemplateFields => {
  const { scorer = 'local', fallbacks = [], no_answer: noAnswer = 'site', rules = [], thresholds = {} } = sent;
  const read = rules.map(({ name, effect, conditions, other_currencies: otherCurrencies }) => ({
    name,
    effect,
    conditions: readFraudConditions(conditions),
    ...(otherCurrencies !== undefined && { otherCurrencies }),
  }));
  const sane = readThresholds(thresholds);
  const problems = [
    ...read.flatMap(({ conditions }, index) =>
      'problem' in conditions ? [`rules.${index}.${conditions.problem}`] : [],
    ),
    ...read.flatMap(({ conditions, otherCurrencies }, index) =>
      otherCurrencies === undefined || 'problem' in conditions || currenciesNamed(conditions).length > 0
        ? []
        : [`rules.${index}.other_currencies: must be left out, as the rule names no currency`],
    ),
    ...fallbackProblems(scorer, fallbacks),
    ...(inOrder(sane) ? [] : ['thresholds: review must not be above three_ds, nor three_ds above reject']),
  ];
  if (problems.length > 0) throw new Refusal('request_invalid', problems.join('; '));
  return {
    scorer,
    ...(fallbacks.length > 0 && { fallbacks }),
    ...(noAnswer !== 'site' && { noAnswer }),
    thresholds: sane,
    rules: read.flatMap((rule) => (isRule(rule) ? [rule] : [])),
  };
};

/** A scorer that always answers needs no fallback, and no scorer is asked twice. */
const fallbackProblems = (scorer: ScorerName, fallbacks: NonNullable<TemplateFields['fallbacks']>): string[] => {
  if (fallbacks.length === 0) return [];
  if (scorer === 'none' || scorer === 'local') return [`fallbacks: ${scorer} needs none`];
  const asked: readonly ScorerName[] = [scorer, ...fallbacks];
  if (new Set(asked).size < asked.length) return ['fallbacks: must name each scorer once'];
  return asked.slice(0, -1).includes('local') ? ['fallbacks: local always answers, so it must be the last'] : [];
};

type ReadRule = Omit<TemplateRule, 'conditions'> & { conditions: ReturnType<typeof readFraudConditions> };
const isRule = (rule: ReadRule): rule is TemplateRule => !('problem' in rule.conditions);

/** Absent thresholds take their defaults; null: none. */
const readThresholds = (sent: NonNullable<SentTemplate['thresholds']>): Thresholds => {
  const thresholdOf = (name: keyof Thresholds) => (sent[name] === undefined ? usualThresholds[name] : sent[name]);
  return { review: thresholdOf('review'), three_ds: thresholdOf('three_ds'), reject: thresholdOf('reject') };
};

const inOrder = ({ review, three_ds, reject }: Thresholds): boolean => {
  const set = [review, three_ds, reject].filter((one) => one !== null);
  return set.every((one, index) => index === 0 || (set[index - 1] ?? 0) <= one);
};

/** A template's content with the fields that were sent replaced, checked as a whole. Throws request_invalid. */
export const changedTemplate = (template: TemplateFields, sent: SentTemplate): TemplateFields =>
  templateFields({
    scorer: sent.scorer ?? template.scorer,
    fallbacks: sent.fallbacks ?? template.fallbacks,
    no_answer: sent.no_answer ?? template.noAnswer,
    rules: sent.rules ?? template.rules.map(asSent),
    thresholds: { ...template.thresholds, ...dropUndefined(sent.thresholds ?? {}) },
  });

/** A stored rule as it is sent. */
const asSent = ({ otherCurrencies: other_currencies, ...rule }: TemplateRule) => ({
  ...rule,
  ...(other_currencies !== undefined && { other_currencies }),
});

/** A template on the wire. */
export const toTemplateDto = ({
  ftid,
  version,
  scorer,
  fallbacks = [],
  noAnswer = 'site',
  rules,
  thresholds,
  updatedAt,
  by,
}: Template) => ({
  id: ftid,
  version,
  scorer,
  fallbacks: [...fallbacks],
  no_answer: noAnswer,
  rules: rules.map(({ name, conditions, effect, otherCurrencies = usualOtherCurrencies }) => ({
    ...{ name, conditions: { ...conditions }, effect },
    other_currencies: currenciesNamed(conditions).length > 0 ? otherCurrencies : null,
  })),
  thresholds,
  updated_at: updatedAt,
  updated_by: by,
});
