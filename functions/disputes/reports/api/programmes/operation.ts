import * as v from 'valibot';
import { MerchantIdField, MonthField } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { figureRegions, figureSchemes } from '../../programme.ts';

export const ProgrammesBody = v.object({ mid: v.optional(MerchantIdField), month: MonthField });

export const ProgrammeList = v.object({
  list: v.pipe(
    v.array(
      v.object({
        programme: v.pipe(
          v.picklist(['VAMP', 'ECM', 'HECM']),
          v.description('VAMP of Visa; ECM or HECM of Mastercard.'),
        ),
        title: v.pipe(v.string(), v.description('The programme’s name.')),
        scheme: v.pipe(v.picklist(figureSchemes), v.description('The card scheme.')),
        numerator: v.pipe(v.number(), v.description('Disputes of the month; for VAMP with reports of fraud.')),
        denominator: v.pipe(
          v.nullable(v.number()),
          v.description('Settled payments of the month; of the month before for ECM and HECM. Null: not supplied.'),
        ),
        ratio_bps: v.pipe(v.nullable(v.number()), v.description('Per ten thousand.')),
        threshold_bps: v.pipe(v.number(), v.description('The ratio from which a merchant is over, per ten thousand.')),
        region: v.pipe(
          v.nullable(v.picklist(figureRegions)),
          v.description('The region whose limits these are; null: none was supplied.'),
        ),
        limits_source: v.pipe(v.string(), v.description('Where the limits are published.')),
        limits_checked: v.pipe(v.string(), v.description('The day on which they were last compared with that.')),
        count_threshold: v.pipe(v.number(), v.description('The number that must be reached as well.')),
        amount_threshold_usd: v.pipe(
          v.nullable(v.number()),
          v.description('The amount in US dollars that must be reached as well; null: none.'),
        ),
        status: v.pipe(
          v.picklist(['ok', 'near', 'over', 'unknown']),
          v.description('over: both limits are reached; near: three quarters of both; unknown: figures are missing.'),
        ),
        parts: v.pipe(
          v.object({
            chargebacks: v.pipe(v.number(), v.description('Disputes.')),
            fraud: v.pipe(v.number(), v.description('Reports of fraud; 0 where they do not count.')),
          }),
          v.description('What the number consists of.'),
        ),
      }),
    ),
    v.description('One page, the newest first unless `order` says otherwise.'),
  ),
});

export const programmeReportOperation = defineOperation({
  area: 'reports',
  name: 'programmes',
  summary: "Report where a merchant stands in the schemes' programmes",
  description:
    'By the figures that were supplied with `reports/figures/set`: acquirers report them, as only they know all payments. The ' +
    'limits are those in force in that month, in the region that was supplied; Mastercard’s Excessive Fraud Merchant programme, Visa’s enumeration ' +
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
