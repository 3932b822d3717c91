import * as v from 'valibot';
import { MerchantIdField, MonthField } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { figureRegions, figureSchemes, programmeNames } from '../../programme.ts';

export const ProgrammesBody = v.object({ mid: v.optional(MerchantIdField), month: MonthField });

export const ProgrammeList = v.object({
  list: describeField(
    v.array(
      v.object({
        programme: describeField(
          v.picklist(programmeNames),
          'VAMP or VAMP_ENUMERATION of Visa; ECM, HECM or EFM of Mastercard.',
        ),
        title: text('The programme’s name.'),
        scheme: describeField(v.picklist(figureSchemes), 'The card scheme.'),
        numerator: count(
          'Disputes of the month; for VAMP with reports of fraud, for EFM only those for fraud; for VAMP_ENUMERATION authorisations that test cards.',
        ),
        denominator: nullableCount(
          'Settled payments of the month; of the month before for those of Mastercard; all authorisations for VAMP_ENUMERATION. Null: not supplied.',
        ),
        ratio_bps: nullableCount('Per ten thousand.'),
        threshold_bps: count('The ratio from which a merchant is over, per ten thousand.'),
        region: describeField(
          v.nullable(v.picklist(figureRegions)),
          'The region whose limits these are; null: none was supplied.',
        ),
        supplied_at: nullableText(
          'When the figures of the month were supplied; null: not known, or they were counted here.',
        ),
        limits_source: text('Where the limits are published.'),
        limits_checked: text('The day on which they were last compared with that.'),
        count_threshold: nullableCount('The number that must be reached as well; null: none.'),
        amount_threshold_usd: nullableCount('The amount in US dollars that must be reached as well; null: none.'),
        amount_usd: nullableCount('The amount that counts against that limit; null: not supplied.'),
        three_ds_limit_percent: nullableCount(
          'The share of payments with 3-D Secure, in percent, from which a merchant is not over; null: none.',
        ),
        status: describeField(
          v.picklist(['ok', 'near', 'over', 'unknown']),
          'over: all limits are reached; near: three quarters of all, or of the others if an amount is missing; unknown: figures are missing.',
        ),
        parts: describeField(
          v.object({
            chargebacks: count('Disputes; authorisations that test cards for VAMP_ENUMERATION.'),
            fraud: count('Reports of fraud; 0 where they do not count.'),
          }),
          'What the number consists of.',
        ),
      }),
    ),
    'The programmes of the card schemes, each with the merchant’s figures.',
  ),
});

export const programmeReportOperation = defineOperation('reports/programmes', {
  summary: "Report where a merchant stands in the schemes' programmes",
  description:
    'By the figures that were supplied with `reports/figures/set`: acquirers report them, as only they know all payments. The ' +
    'limits are those in force in that month, in the region that was supplied; Visa’s enumeration ' +
    'limits and its Merchant Elevated Risk Program are not among them.',
  method: 'POST',
  path: '/api/v3/reports/programmes',
  auth: 'bearer',
  permission: 'reports:read',
  body: ProgrammesBody,
  reply: ProgrammeList,
  errors: ['merchant_not_found'],
  grants: { table: ['BatchGetItem'] },
});
