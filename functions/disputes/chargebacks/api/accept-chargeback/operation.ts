import * as v from 'valibot';
import { ChargebackIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { disputeStatuses } from '#payments/processors/ports/dispute.ts';
import { ChargebackParams } from '../../schemas.ts';

export const acceptChargebackOperation = defineOperation('chargebacks/accept-chargeback', {
  summary: 'Accept a chargeback',
  description:
    'Stripe, Adyen, Braintree, PayPal and Checkout.com are notified immediately; others accept this only in their portals, so it is only ' +
    'recorded here. It cannot be undone. Repeating it gives the same answer.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/accept',
  auth: 'bearer',
  permission: 'chargebacks',
  roles: ['analyst', 'manager'],
  params: ChargebackParams,
  reply: v.object({
    ...Ok.entries,
    chargeback_id: ChargebackIdReply,
    chargeback_status: describeField(v.picklist(disputeStatuses), 'The present state of the chargeback.'),
  }),
  errors: ['chargeback_not_found', 'chargeback_over', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'PutItem'], send: ['chargebacks'] },
});
