import * as v from 'valibot';
import {
  AlertIdReply,
  AmountReply,
  CurrencyReply,
  MerchantIdReply,
  MonthField,
} from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import { findingKinds } from '../../statement/statement.ts';

const Provider = describeField(
  v.picklist(signingProviderNames, `must be one of ${signingProviderNames.join(', ')}`),
  'The alert provider that sent the bill.',
);
const pagesAtMost = 9999;

const StatementDto = v.object({
  provider: Provider,
  month: MonthField,
  imported_at: text('When it was imported (ISO 8601, UTC).'),
  lines: count('The number of its lines that could be read.'),
  unread: count('The number of lines that could not be read and were not compared.'),
  problems: describeField(
    v.array(
      v.object({
        line: count('The line of the file.'),
        problem: text('Why it could not be read.'),
      }),
    ),
    'The first 100 of them.',
  ),
  totals: describeField(
    v.array(
      v.object({
        currency: CurrencyReply,
        billed: text('The sum of the prices on it.'),
        credited: text('The sum of the prices that it gives back.'),
        questioned: text('The sum to claim for what was found.'),
      }),
    ),
    'The sums, one entry for each currency.',
  ),
  findings: describeField(v.record(v.string(), v.number()), 'How many of each kind were found.'),
  claimable: describeField(
    v.array(v.number()),
    'Billed alerts whose credit could be claimed when the statement was imported.',
  ),
});

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
    '`npm run import -- statement` imports them.',
  method: 'POST',
  path: '/api/v3/reports/statements',
  auth: 'admin',
  body: v.pipe(
    v.object({
      provider: v.optional(Provider),
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
