import * as v from 'valibot';
import {
  AlertIdReply,
  AmountReply,
  CurrencyReply,
  MerchantIdReply,
  MonthField,
} from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import { findingKinds } from '../../statement/statement.ts';

const Provider = v.pipe(
  v.picklist(signingProviderNames, `must be one of ${signingProviderNames.join(', ')}`),
  v.description('The alert provider that sent the bill.'),
);
const pagesAtMost = 9999;

const StatementDto = v.object({
  provider: Provider,
  month: MonthField,
  imported_at: v.pipe(v.string(), v.description('When it was imported (ISO 8601, UTC).')),
  lines: v.pipe(v.number(), v.description('The number of its lines that could be read.')),
  unread: v.pipe(v.number(), v.description('The number of lines that could not be read and were not compared.')),
  problems: v.pipe(
    v.array(
      v.object({
        line: v.pipe(v.number(), v.description('The line of the file.')),
        problem: v.pipe(v.string(), v.description('Why it could not be read.')),
      }),
    ),
    v.description('The first 100 of them.'),
  ),
  totals: v.pipe(
    v.array(
      v.object({
        currency: CurrencyReply,
        billed: v.pipe(v.string(), v.description('The sum of the prices on it.')),
        credited: v.pipe(v.string(), v.description('The sum of the prices that it gives back.')),
        questioned: v.pipe(v.string(), v.description('The sum to claim for what was found.')),
      }),
    ),
    v.description('The sums, one entry for each currency.'),
  ),
  findings: v.pipe(v.record(v.string(), v.number()), v.description('How many of each kind were found.')),
  claimable: v.pipe(
    v.array(v.number()),
    v.description('Billed alerts whose credit could be claimed when the statement was imported.'),
  ),
});

const FindingDto = v.object({
  finding: v.pipe(v.picklist(findingKinds), v.description('What is to be questioned.')),
  line: v.pipe(v.nullable(v.number()), v.description('The line of the file; null: the statement lacks a line.')),
  case_id: v.pipe(v.string(), v.description('The provider’s name for the case.')),
  alert_id: v.nullable(AlertIdReply),
  mid: v.nullable(MerchantIdReply),
  amount: AmountReply,
  currency: CurrencyReply,
  agreed: v.pipe(v.nullable(v.string()), v.description('The price that was agreed, where another one is billed.')),
  agreed_currency: v.nullable(CurrencyReply),
});

export const statementsOperation = defineOperation({
  area: 'costs',
  name: 'statements',
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
      page: v.pipe(
        v.optional(v.pipe(v.number('must be a number'), v.integer(), v.minValue(0), v.maxValue(pagesAtMost)), 0),
        v.description('Which page of the findings, from 0.'),
      ),
    }),
    v.forward(
      v.check(({ provider, month }) => (provider === undefined) === (month === undefined), 'must come with provider'),
      ['month'],
    ),
  ),
  reply: v.object({
    statements: v.pipe(v.array(StatementDto), v.description('The statements that were imported.')),
    findings: v.pipe(v.array(FindingDto), v.description('Empty without `provider` and `month`.')),
    next_page: v.pipe(v.nullable(v.number()), v.description('The next page of the findings; null: there is none.')),
  }),
  errors: ['statement_not_found'],
  grants: { table: ['GetItem', 'Query'] },
});
