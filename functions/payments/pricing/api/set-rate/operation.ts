import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { PricingCurrency, RateDto } from '../../schemas.ts';

const rateWords = 'must be a decimal above 0 with at most 8 decimals, as text';

const RateText = v.pipe(
  v.string(rateWords),
  v.regex(/^(?:0|[1-9]\d{0,11})(?:\.\d{1,8})?$/, rateWords),
  v.check((text) => /[1-9]/.test(text), rateWords),
);

export const NewRate = v.pipe(
  v.object({
    from: describeField(PricingCurrency, 'The currency converted from.'),
    to: describeField(PricingCurrency, 'The currency converted to.'),
    rate: describeField(RateText, 'What one unit of the first currency is in the second.'),
    source: describeField(Text(200), 'Where the rate comes from.'),
  }),
  v.forward(
    v.check(({ from, to }) => from !== to, 'must be another currency than from'),
    ['to'],
  ),
);

/** Named in each declaration, not spread into it: esbuild keeps objects with a spread in every bundle of the area. */
export const setRateOperation = defineOperation('pricing/set-rate', {
  method: 'POST',
  summary: 'Set an exchange rate',
  description:
    'Takes effect immediately, in this direction only. Earlier rates stay in the history, with who set them and when.',
  path: '/api/v3/pricing/rate/set',
  auth: 'admin',
  body: NewRate,
  reply: RateDto,
  errors: ['changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
  audit: true,
  auditValues: { changed: { 'rate.*': 'value', source: 'value' } },
});
