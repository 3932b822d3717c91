import * as v from 'valibot';
import {
  AlertIdReply,
  AmountReply,
  CurrencyReply,
  MerchantIdReply,
  MonthField,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { findingKinds } from '../../statement/statement.ts';
import { StatementDto, StatementProvider } from '../../statement/statement-schemas.ts';

const pagesAtMost = 9999;

const FindingDto = v.object({
  finding: describeField(v.picklist(findingKinds), 'What is to be questioned.'),
  line: nullableCount('The line of the file; null: the statement lacks a line.'),
  case_id: text('The provider’s name for the case.'),
  alert_id: v.nullable(AlertIdReply),
  mid: v.nullable(MerchantIdReply),
  amount: AmountReply,
  currency: CurrencyReply,
  agreed: nullableText('The price that was agreed, where another one is billed.'),
  agreed_currency: v.nullable(CurrencyReply),
});

export const statementsOperation = defineOperation('costs/statements', {
  summary: "Read providers' monthly statements",
  description:
    'All that were imported, the newest month first; with `provider` and `month`, one of them and a page of what was found in it. ' +
    'The dashboard, `PUT` to this path and `npm run import -- statement` import them.',
  method: 'POST',
  path: '/api/v3/reports/statements',
  otherMethods: ['PUT'],
  auth: 'admin',
  body: v.pipe(
    v.object({
      provider: v.optional(StatementProvider),
      month: v.optional(MonthField),
      page: describeField(
        v.optional(v.pipe(v.number('must be a number'), v.integer(), v.minValue(0), v.maxValue(pagesAtMost)), 0),
        'Which page of the findings, from 0.',
      ),
    }),
    v.forward(
      v.check(({ provider, month }) => (provider === undefined) === (month === undefined), 'must come with provider'),
      ['month'],
    ),
  ),
  reply: v.object({
    statements: describeField(v.array(StatementDto), 'The statements that were imported.'),
    findings: describeField(v.array(FindingDto), 'Empty without `provider` and `month`.'),
    next_page: nullableCount('The next page of the findings; null: there is none.'),
  }),
  errors: ['statement_not_found'],
  grants: { table: ['GetItem', 'Query'] },
});
