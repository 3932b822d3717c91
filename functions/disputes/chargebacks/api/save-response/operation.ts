import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { LongText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { ChargebackDetails, ChargebackParams } from '../../schemas.ts';

export const saveResponseOperation = defineOperation('chargebacks/save-response', {
  summary: 'Save the response to the issuer',
  description:
    'Replaces the generated response (`response` in the reply of `…/evidence`) with your own text. `text: null` restores the generated response.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/response',
  auth: 'bearer',
  permission: 'chargebacks',
  roles: ['analyst', 'manager'],
  params: ChargebackParams,
  body: v.object({
    text: describeField(v.nullable(LongText(15_000)), 'The response, without card numbers.'),
  }),
  reply: ChargebackDetails,
  errors: ['chargeback_not_found', 'chargeback_over', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'] },
});
