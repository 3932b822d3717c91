import * as v from 'valibot';
import { MerchantIdReply } from '#core/kernel/schema/field-schemas.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { merchantServices } from '../../merchant/merchant.ts';
import { MidPath, serviceFlags } from '../../schemas.ts';

export const setServicesOperation = defineOperation('merchants/set-services', {
  summary: 'Switch services of a merchant on or off',
  description:
    'Fields that are absent stay. The merchant’s sites and their settings stay too: a service that is off only says that the merchant no longer has it. ' +
    'For administrators.',
  method: 'PATCH',
  path: '/api/v3/merchant/{mid}',
  otherMethods: ['POST'],
  auth: 'admin',
  params: MidPath,
  body: v.pipe(
    v.object(serviceFlags),
    v.check((body) => merchantServices.some((name) => body[name] !== undefined), 'must name at least one service'),
  ),
  reply: v.object({ ...Ok.entries, mid: MerchantIdReply, ...serviceFlags }),
  errors: ['merchant_not_found', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'UpdateItem', 'PutItem'] },
  audit: true,
  auditValues: {
    changed: { alerts: 'value', cbm: 'value', payments: 'value', threeDS: 'value', order_insights: 'value' },
  },
});
