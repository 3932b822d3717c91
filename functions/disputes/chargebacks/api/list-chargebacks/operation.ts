import * as v from 'valibot';
import { FormFields, FromTime, Id, OneOrMore, pageFields, pageReply, ToTime } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { disputeStages, disputeStatuses } from '#payments/processors/ports/dispute.ts';
import { ChargebackSummary } from '../../schemas.ts';

/** Which chargebacks to list. `date_from` and `date_to` are about when the issuer raised them. */
export const ListChargebacks = FormFields({
  status: v.optional(OneOrMore(disputeStatuses)),
  stage: v.optional(OneOrMore(disputeStages)),
  mid: v.optional(Id),
  sid: v.optional(Id),
  alert_id: v.optional(Id),
  date_from: v.optional(FromTime),
  date_to: v.optional(ToTime),
  ...pageFields,
});

export const listChargebacks = defineOperation({
  area: 'chargebacks',
  name: 'list-chargebacks',
  summary: 'List chargebacks',
  description:
    'Of payments that were taken here or at connections, for merchants with `cbm`; filtered by status, stage, merchant, payment site, alert and date.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargebacks/list',
  auth: 'bearer',
  body: ListChargebacks,
  formats: ['json', 'form'],
  reply: pageReply(ChargebackSummary),
  errors: ['merchant_not_found', 'site_not_found', 'alert_not_found'],
  grants: {
    table: ['GetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list4', 'list4f'],
  },
});
