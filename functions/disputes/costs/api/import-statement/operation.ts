import * as v from 'valibot';
import { MonthField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Flag, Ok } from '#core/kernel/schema/schema.ts';
import { CardFreeAmount, MaskedLine } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { CaseName } from '#disputes/providers/lenient.ts';
import { readStatementCells } from '../../statement/statement-file.ts';
import { StatementDto, StatementProvider } from '../../statement/statement-schemas.ts';

const LineNumber = describeField(
  v.pipe(v.number('must be a number'), v.integer('must be a whole number'), v.minValue(1), v.maxValue(10_000_000)),
  'The line of the file.',
);
const maxLines = 5000;

const StatementLineField = v.pipe(
  v.object({
    line: LineNumber,
    case_id: describeField(CaseName, 'The provider’s name for the case.'),
    kind: describeField(
      v.optional(v.picklist(['charge', 'credit'], 'must be charge or credit'), 'charge'),
      'Whether the price is billed or given back; default: `charge`.',
    ),
    amount: describeField(
      v.pipe(v.string('must be text'), v.maxLength(20), CardFreeAmount),
      'The price, as a decimal such as `25.00`.',
    ),
    currency: describeField(v.pipe(v.string('must be text'), v.length(3)), 'A currency of ISO 4217.'),
  }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const seen = readStatementCells(value.line, { ...value, caseId: value.case_id });
    if ('read' in seen) return seen.read;
    const path = [{ type: 'object', origin: 'value', input: value, key: 'amount', value: value.amount }] as const;
    addIssue({ message: 'must be a decimal with no more decimals than its currency has', path: [...path] });
    return NEVER;
  }),
);

export const importStatementOperation = defineOperation('costs/import-statement', {
  summary: "Import a provider's monthly statement",
  description:
    'Compares the lines with the alerts that were received, and stores the result in place of an earlier one of the provider and month. A statement ' +
    'with lines that could not be read (`unread`) replaces no result with more lines: `stored` is then false. `npm run import -- statement` takes larger files.',
  method: 'PUT',
  path: '/api/v3/reports/statements',
  otherMethods: ['POST'],
  auth: 'admin',
  body: v.object({
    provider: StatementProvider,
    month: MonthField,
    lines: describeField(
      v.pipe(
        v.array(StatementLineField, 'must be a list'),
        v.maxLength(maxLines, `must have at most ${maxLines} entries`),
      ),
      'The lines that could be read.',
    ),
    unread: describeField(
      v.optional(
        v.pipe(
          v.array(v.object({ line: LineNumber, problem: describeField(MaskedLine(300), 'Why it could not be read.') })),
          v.maxLength(maxLines, `must have at most ${maxLines} entries`),
        ),
        [],
      ),
      'The lines that could not be read.',
    ),
    dry_run: describeField(v.optional(Flag, false), 'Only compares, and stores nothing.'),
  }),
  reply: v.object({
    ...Ok.entries,
    stored: describeField(v.boolean(), 'True if the result was stored.'),
    statement: describeField(StatementDto, 'The result; if it could not replace an earlier one, that.'),
  }),
  errors: ['changed_meanwhile'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
    indexes: ['list1f'],
    secrets: ['encryption'],
  },
  memoryMegabytes: 512,
  audit: true,
  auditValues: { sent: { provider: 'value', month: 'value', dry_run: 'value' } },
});
