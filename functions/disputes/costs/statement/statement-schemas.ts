import * as v from 'valibot';
import { CurrencyReply, MonthField } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';
import { signingProviderNames } from '#disputes/providers/providers.ts';

export const StatementProvider = describeField(
  v.picklist(signingProviderNames, `must be one of ${signingProviderNames.join(', ')}`),
  'The alert provider that sent the bill.',
);

/** A statement that was compared. */
export const StatementDto = v.object({
  provider: StatementProvider,
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
