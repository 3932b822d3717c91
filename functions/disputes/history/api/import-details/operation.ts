import * as v from 'valibot';
import { CurrencyReply } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { matchTypes } from '#disputes/enrollments/enrollment-vocabulary.ts';
import { enrolledProviders } from '#disputes/providers/providers.ts';
import { ImportDto, ImportPath } from '../../schemas.ts';

const text = (words: string) => v.pipe(v.nullable(v.string()), v.description(words));

const Proposal = v.object({
  provider: v.pipe(v.array(v.picklist(enrolledProviders)), v.description('The providers to enroll with.')),
  descriptor: text('The descriptor; it ends in `*` where the rest differs from charge to charge.'),
  match_type: v.pipe(v.nullable(v.picklist(matchTypes)), v.description('How the descriptor is compared.')),
  network_bin: text('The acquirer’s BIN, from the reference numbers of the charges.'),
  network_caid: text('The card acceptor ID.'),
  charges: v.pipe(v.number(), v.description('How many charges it has.')),
  last_charge_at: v.pipe(v.string(), v.description('The date of the latest of them (ISO 8601, UTC).')),
});

export const importDetailsOperation = defineOperation({
  area: 'history',
  name: 'import-details',
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
    sums: v.pipe(
      v.array(
        v.object({
          currency: CurrencyReply,
          charged: v.pipe(v.string(), v.description('What was charged.')),
          refunded: v.pipe(v.string(), v.description('What of it was refunded.')),
        }),
      ),
      v.description('By currency.'),
    ),
    months: v.pipe(
      v.array(
        v.object({
          month: v.pipe(v.string(), v.description('The month, `2026-05`.')),
          scheme: v.pipe(v.string(), v.description('The card scheme; OTHER if it is not known.')),
          settled: v.pipe(v.number(), v.description('Charges of the month.')),
          charged_back: v.pipe(v.number(), v.description('Chargebacks that came up in the month.')),
        }),
      ),
      v.description('By month and scheme, the oldest first.'),
    ),
    proposals: v.pipe(v.array(Proposal), v.description('What to enroll, by the charges that were read.')),
  }),
  errors: ['merchant_not_found', 'import_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem'] },
});
