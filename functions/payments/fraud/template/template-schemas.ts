import * as v from 'valibot';
import { NameReply, ScoreReply, UpdatedAtReply, VersionReply } from '#core/kernel/schema/field-schemas.ts';
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

const Effect = v.pipe(
  v.union(
    [
      v.strictObject({ score: v.pipe(WholeNumber(1, 100), v.description('The risk, 0 to 100.')) }),
      v.strictObject({
        decision: v.pipe(v.picklist(['REVIEW', '3DS', 'REJECT']), v.description('ACCEPT, REVIEW, REJECT or 3DS.')),
      }),
    ],
    'must be either {score: 1 to 100} or {decision: REVIEW, 3DS or REJECT}',
  ),
  v.description('Adds to the score, or asks for at least this decision.'),
);

const Rule = v.object(
  {
    name: v.pipe(Text(100), v.description('Its name, for people.')),
    conditions: Conditions,
    effect: Effect,
    other_currencies: v.pipe(
      v.optional(v.picklist(otherCurrencies, 'must be REVIEW, 3DS, REJECT or ignore')),
      v.description(
        'What the rule does in a currency that no rule of the template names, if it compares amounts of a currency: a decision, if the rest of its conditions is met, or `ignore`. Default: REVIEW.',
      ),
    ),
  },
  'must be an object with name, conditions and effect',
);

const Threshold = v.optional(v.nullable(WholeNumber(1, 100)));

/** The content of a template, in all operations that create or change one. */
export const templateContent = {
  scorer: v.pipe(
    v.optional(v.picklist(scorerNames, `must be one of ${scorerNames.join(', ')}`)),
    v.description('Which scorer runs before the rules; `none`: the rules alone decide.'),
  ),
  fallbacks: v.pipe(
    v.optional(
      v.pipe(
        v.array(v.picklist(fallbackNames, `must be of ${fallbackNames.join(', ')}`), 'must be a list of scorers'),
        v.maxLength(maxFallbacks, `must have at most ${maxFallbacks} scorers`),
      ),
    ),
    v.description('Which scorers to ask, in this order, if `scorer` does not answer.'),
  ),
  no_answer: v.pipe(
    v.optional(v.picklist(absences, `must be one of ${absences.join(', ')}`)),
    v.description('What to do if none of them answers; `site`: what `proceedeveniffail` of the site says.'),
  ),
  rules: v.pipe(
    v.optional(
      v.pipe(
        v.array(Rule, 'must be a list of rules'),
        v.maxLength(maxTemplateRules, `must have at most ${maxTemplateRules} rules`),
      ),
    ),
    v.description('What adds to the score, or decides.'),
  ),
  thresholds: v.pipe(
    v.optional(
      Nested(
        {
          review: v.pipe(Threshold, v.description('From this score on, REVIEW.')),
          three_ds: v.pipe(Threshold, v.description('From this score on, 3DS.')),
          reject: v.pipe(Threshold, v.description('From this score on, REJECT.')),
        },
        'must be an object of thresholds',
      ),
    ),
    v.description('The score from which each decision is made; null: never.'),
  ),
};

export const TemplateParams = v.object({ id: v.pipe(Id, v.description('The check, or the template.')) });
export const UpdateTemplate = v.object({
  version: v.pipe(
    v.optional(Id),
    v.description('The version that this change is based on; if it is no longer the current one, the answer is 409.'),
  ),
  ...templateContent,
});

const shownThreshold = v.nullable(v.number());
export const shownContent = {
  version: VersionReply,
  scorer: v.pipe(v.picklist(scorerNames), v.description('Who else is asked for a score.')),
  fallbacks: v.pipe(
    v.array(v.picklist(fallbackNames)),
    v.description('Which scorers to ask, in this order, if `scorer` does not answer.'),
  ),
  no_answer: v.pipe(v.picklist(absences), v.description('What to do if none of them answers.')),
  rules: v.pipe(
    v.array(
      v.object({
        name: NameReply,
        conditions: v.pipe(
          v.record(v.string(), v.unknown()),
          v.description(
            'Conditions in the form of json-rules-engine: `all`, `any`, `not`, and `{fact, operator, value}`.',
          ),
        ),
        effect: v.pipe(
          v.object({
            score: v.optional(ScoreReply),
            decision: v.pipe(v.optional(v.picklist(decisions)), v.description('ACCEPT, REVIEW, REJECT or 3DS.')),
          }),
          v.description('What the rule does when it matches.'),
        ),
        other_currencies: v.pipe(
          v.nullable(v.picklist(otherCurrencies)),
          v.description(
            'What the rule does in a currency that no rule of the template names, if it compares amounts of a currency: a decision, if the rest of its conditions is met, or `ignore`. Null: it names no currency.',
          ),
        ),
      }),
    ),
    v.description('What adds to the score, or decides.'),
  ),
  thresholds: v.pipe(
    v.object({
      review: v.pipe(shownThreshold, v.description('From this score on, REVIEW.')),
      three_ds: v.pipe(shownThreshold, v.description('From this score on, 3DS.')),
      reject: v.pipe(shownThreshold, v.description('From this score on, REJECT.')),
    }),
    v.description('From which score on what is decided.'),
  ),
};
const shown = {
  id: v.pipe(v.number(), v.description('The check, or the template.')),
  ...shownContent,
  updated_at: UpdatedAtReply,
  updated_by: v.pipe(v.nullable(v.string()), v.description('Null: it came with the service.')),
};
export const TemplateDto = v.object(shown);
export const TemplateDetails = v.object({
  ...shown,
  versions: v.pipe(v.array(TemplateDto), v.description('Newest first; the last hundred.')),
});
