import * as v from 'valibot';
import { NameReply, ScoreReply, UpdatedAtReply, VersionReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableText } from '#core/kernel/schema/field-words.ts';
import { Id, Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AtMost, CardFreeValue, Text } from '#core/kernel/schema/text.ts';
import { decisions } from '../check/fraud-decision.ts';
import { absences, fallbackNames, maxFallbacks, scorerNames } from '../scorers/scorer.ts';
import { maxTemplateRules, otherCurrencies } from './template.ts';

const Conditions = v.pipe(
  v.record(v.string(), v.unknown(), 'must be an object that begins with all, any or not'),
  CardFreeValue(),
  AtMost(50_000),
  v.description(
    'Conditions of json-rules-engine: `all`, `any` and `not` around comparisons `{fact, operator, value, params}`. Facts: ' +
      'amount (`params: {currency}` if wanted), currency, card_scheme, card_bin, bin_country, country, shipping_country, ' +
      'bin_country_differs, shipping_country_differs, email_domain, hour (UTC), three_ds_source ("verified": authenticated ' +
      'here, "merchant": by the merchant’s word, "none"; not known without a payment), is_first_transaction, scorer_score, and ' +
      'velocity_count and velocity_sum with `params: {of: "card" | "email" | "ip" | "device", window: "1h" | "24h" | "7d"}`, ' +
      'and watched with `params: {of: "card" | "email" | "ip" | "country" | "bin"}`: whether the site has the payer on its ' +
      'list `watch`, not known where it has nothing of that kind there. ' +
      'A comparison with a fact that is not known is neither true nor false.',
  ),
);

const Effect = describeField(
  v.union(
    [
      v.strictObject({ score: describeField(WholeNumber(1, 100), 'The risk, 0 to 100.') }),
      v.strictObject({
        decision: describeField(v.picklist(['REVIEW', '3DS', 'REJECT']), 'ACCEPT, REVIEW, REJECT or 3DS.'),
      }),
    ],
    'must be either {score: 1 to 100} or {decision: REVIEW, 3DS or REJECT}',
  ),
  'Adds to the score, or asks for at least this decision.',
);

const Rule = v.object(
  {
    name: describeField(Text(100), 'Its name, for people.'),
    conditions: Conditions,
    effect: Effect,
    other_currencies: describeField(
      v.optional(v.picklist(otherCurrencies, 'must be REVIEW, 3DS, REJECT or ignore')),
      'What the rule does in a currency that no rule of the template names, if it compares amounts of a currency: a decision, if the rest of its conditions is met, or `ignore`. Default: REVIEW.',
    ),
  },
  'must be an object with name, conditions and effect',
);

const Threshold = v.optional(v.nullable(WholeNumber(1, 100)));

/** The content of a template, in all operations that create or change one. */
export const templateContent = {
  scorer: describeField(
    v.optional(v.picklist(scorerNames, `must be one of ${scorerNames.join(', ')}`)),
    'Which scorer runs before the rules; `none`: the rules alone decide.',
  ),
  fallbacks: describeField(
    v.optional(
      v.pipe(
        v.array(v.picklist(fallbackNames, `must be of ${fallbackNames.join(', ')}`), 'must be a list of scorers'),
        v.maxLength(maxFallbacks, `must have at most ${maxFallbacks} scorers`),
      ),
    ),
    'Which scorers to ask, in this order, if `scorer` does not answer.',
  ),
  no_answer: describeField(
    v.optional(v.picklist(absences, `must be one of ${absences.join(', ')}`)),
    'What to do if none of them answers; `site`: what `proceedeveniffail` of the site says.',
  ),
  rules: describeField(
    v.optional(
      v.pipe(
        v.array(Rule, 'must be a list of rules'),
        v.maxLength(maxTemplateRules, `must have at most ${maxTemplateRules} rules`),
      ),
    ),
    'What adds to the score, or decides.',
  ),
  thresholds: describeField(
    v.optional(
      Nested(
        {
          review: describeField(Threshold, 'From this score on, REVIEW.'),
          three_ds: describeField(Threshold, 'From this score on, 3DS.'),
          reject: describeField(Threshold, 'From this score on, REJECT.'),
        },
        'must be an object of thresholds',
      ),
    ),
    'The score from which each decision is made; null: never.',
  ),
};

export const TemplateParams = v.object({ id: describeField(Id, 'The template.') });
export const UpdateTemplate = v.object({
  version: describeField(
    v.optional(Id),
    'The version that this change is based on; if it is no longer the current one, the answer is 409.',
  ),
  ...templateContent,
});

const shownThreshold = v.nullable(v.number());
export const shownContent = {
  version: VersionReply,
  scorer: describeField(v.picklist(scorerNames), 'Who else is asked for a score.'),
  fallbacks: describeField(
    v.array(v.picklist(fallbackNames)),
    'Which scorers to ask, in this order, if `scorer` does not answer.',
  ),
  no_answer: describeField(v.picklist(absences), 'What to do if none of them answers.'),
  rules: describeField(
    v.array(
      v.object({
        name: NameReply,
        conditions: describeField(
          v.record(v.string(), v.unknown()),
          'Conditions in the form of json-rules-engine: `all`, `any`, `not`, and `{fact, operator, value}`.',
        ),
        effect: describeField(
          v.object({
            score: v.optional(ScoreReply),
            decision: describeField(v.optional(v.picklist(decisions)), 'ACCEPT, REVIEW, REJECT or 3DS.'),
          }),
          'What the rule does when it matches.',
        ),
        other_currencies: describeField(
          v.nullable(v.picklist(otherCurrencies)),
          'What the rule does in a currency that no rule of the template names, if it compares amounts of a currency: a decision, if the rest of its conditions is met, or `ignore`. Null: it names no currency.',
        ),
      }),
    ),
    'What adds to the score, or decides.',
  ),
  thresholds: describeField(
    v.object({
      review: describeField(shownThreshold, 'From this score on, REVIEW.'),
      three_ds: describeField(shownThreshold, 'From this score on, 3DS.'),
      reject: describeField(shownThreshold, 'From this score on, REJECT.'),
    }),
    'From which score on what is decided.',
  ),
};
const shown = {
  id: count('The template.'),
  ...shownContent,
  updated_at: UpdatedAtReply,
  updated_by: nullableText('Null: it came with the service.'),
};
export const TemplateDto = v.object(shown);
export const TemplateDetails = v.object({
  ...shown,
  versions: describeField(v.array(TemplateDto), 'Newest first; the last hundred.'),
});
