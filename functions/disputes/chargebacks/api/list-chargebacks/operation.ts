import * as v from 'valibot';
import {
  AlertIdField,
  DateFromField,
  DateToField,
  MerchantIdField,
  SiteIdField,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, nullableText } from '#core/kernel/schema/field-words.ts';
import { FormFields, OneOrMore, pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { buyerFields } from '#payments/orders/field-schemas.ts';
import { disputeStages, disputeStatuses } from '#payments/processors/ports/dispute.ts';
import { chargebackSummaryFields } from '../../schemas.ts';

/** Which chargebacks to list. `date_from` and `date_to` are about when the issuer raised them. */
export const ListChargebacks = FormFields({
  status: describeField(
    v.optional(OneOrMore(disputeStatuses)),
    'open, under_review, won, lost, or accepted: you no longer contest it.',
  ),
  stage: describeField(
    v.optional(OneOrMore(disputeStages)),
    'inquiry: nothing is taken yet; chargeback; arbitration: raised a second time.',
  ),
  mid: v.optional(MerchantIdField),
  sid: v.optional(SiteIdField),
  alert_id: v.optional(AlertIdField),
  date_from: v.optional(DateFromField),
  date_to: v.optional(DateToField),
  ...pageFields,
});

const cardWords = 'Masked; null of a charge that was not taken here, or where the key may not read payments.';

export const listChargebacksOperation = defineOperation('chargebacks/list-chargebacks', {
  summary: 'List chargebacks',
  description:
    'Of payments that were taken here or at connections, for merchants with `cbm`; filtered by status, stage, merchant, payment site, alert and date.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargebacks/list',
  auth: 'bearer',
  permission: 'chargebacks:read',
  tool: { kind: 'read' },
  siteKeys: 'named',
  body: ListChargebacks,
  formats: ['json', 'form'],
  reply: pageReply(v.object({ ...chargebackSummaryFields, ...buyerFields, card: nullableText(cardWords) })),
  errors: ['merchant_not_found', 'site_not_found', 'alert_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list4', 'list4f'],
  },
});
