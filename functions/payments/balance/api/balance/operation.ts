import * as v from 'valibot';
import { CurrencyReply, IdentifierField, StatusAcceptedField } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { RcodeField } from '#payments/payments/request-schemas.ts';

export const BalanceParams = v.object({ id: IdentifierField });

export const BalanceBody = v.object({ rcode: RcodeField });

export const BalanceSchema = v.object({
  status: StatusAcceptedField,
  source: describeField(
    v.picklist(['books', 'processor']),
    'Where the figures come from: our own books, or the only processor account of the site.',
  ),
  balances: describeField(
    v.array(
      v.object({
        currency: CurrencyReply,
        available: count('What could be withdrawn.'),
        reserved: count('What is reserved for refunds and disputes.'),
      }),
    ),
    'What there is, by currency.',
  ),
});

export const balanceOperation = defineOperation('balance/balance', {
  summary: "Show a payment site's funds",
  description:
    '`available` is what could be withdrawn, by currency; `reserved` what is kept back for refunds and payouts under way and ' +
    'for open dispute alerts. Nothing is withdrawn. Do not call it from a browser, as it takes the rcode.',
  method: 'POST',
  path: '/api/v3/{id}/balance',
  auth: 'site',
  params: BalanceParams,
  body: BalanceBody,
  formats: ['json', 'form'],
  reply: BalanceSchema,
  errorShape: 'transaction',
  errors: ['rcode_wrong', 'site_not_for_payments'],
  grants: { table: ['BatchGetItem'], secrets: ['encryption'] },
  memoryMegabytes: 512,
});
