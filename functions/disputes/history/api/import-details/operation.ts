import * as v from 'valibot';
import { CurrencyReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { matchTypes } from '#disputes/enrollments/enrollment-vocabulary.ts';
import { enrolledProviders } from '#disputes/providers/providers.ts';
import { ImportDto, ImportPath } from '../../schemas.ts';

const textOrNull = (words: string) => describeField(v.nullable(v.string()), words);

const Proposal = v.object({
  provider: describeField(v.array(v.picklist(enrolledProviders)), 'The providers to enroll with.'),
  descriptor: textOrNull('The descriptor; it ends in `*` where the rest differs from charge to charge.'),
  match_type: describeField(v.nullable(v.picklist(matchTypes)), 'How the descriptor is compared.'),
  network_bin: textOrNull('The acquirer’s BIN, from the reference numbers of the charges.'),
  network_caid: textOrNull('The card acceptor ID.'),
  charges: count('How many charges it has.'),
  last_charge_at: describeField(v.string(), 'The date of the latest of them (ISO 8601, UTC).'),
});

export const importDetailsOperation = defineOperation('history/import-details', {
  summary: 'Read the progress and the results of an import',
  description:
    'With the sums over everything that was read so far, and what the merchant should enroll: each proposal is an item for ' +
    '`enrollment/create`. What is enrolled already is left out.',
  method: 'POST',
  path: '/api/v3/merchant/{mid}/connections/{id}/import/{import_id}',
  auth: 'bearer',
  permission: 'settings:read',
  params: ImportPath,
  reply: v.object({
    ...ImportDto.entries,
    sums: describeField(
      v.array(
        v.object({
          currency: CurrencyReply,
          charged: describeField(v.string(), 'What was charged.'),
          refunded: describeField(v.string(), 'What of it was refunded.'),
        }),
      ),
      'What was charged and refunded, by currency.',
    ),
    months: describeField(
      v.array(
        v.object({
          month: describeField(v.string(), 'The month, `2026-05`.'),
          scheme: describeField(v.string(), 'The card scheme; OTHER if it is not known.'),
          settled: count('Charges of the month.'),
          charged_back: count('Chargebacks that came up in the month.'),
        }),
      ),
      'By month and scheme, the oldest first.',
    ),
    proposals: describeField(v.array(Proposal), 'What to enroll, by the charges that were read.'),
  }),
  errors: ['merchant_not_found', 'import_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem'] },
});
