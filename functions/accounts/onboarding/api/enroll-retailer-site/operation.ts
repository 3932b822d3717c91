import * as v from 'valibot';
import { MsgReply, RetailerIdReply, SiteIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { NewRetailerSite } from '../../schemas.ts';

export const RetailerSiteCreated = v.object({
  status: describeField(v.literal('ok'), '`ok`, or EXC when it is refused.'),
  rid: RetailerIdReply,
  sid: SiteIdReply,
  msg: MsgReply,
});

export const enrollRetailerSiteOperation = defineOperation('onboarding/enroll-retailer-site', {
  summary: 'Create a retailer and an alert site of a merchant, with the settings of the site',
  description:
    'All or nothing, with an e-mail to operations. A `retailer_name` that the merchant already has, in whatever case and ' +
    'spacing, is refused. The rcode and the signing secret of the site are shown by their rotation.',
  method: 'POST',
  path: '/api/v3/merchant/retailer-site-enrollment',
  auth: 'bearer',
  permission: 'settings:data',
  roles: ['manager'],
  body: NewRetailerSite,
  reply: RetailerSiteCreated,
  errors: ['merchant_not_found', 'retailer_name_taken'],
  grants: { table: ['GetItem', 'UpdateItem', 'PutItem'], secrets: ['encryption'] },
  variables: ['OPERATIONS_MAIL', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
  diverts: 'data',
  idempotent: true,
  auditValues: {
    sent: {
      ...{ retailer_name: 'value', site_name: 'value', country: 'value', mcc: 'value' },
      alert_notification_url: 'host',
    },
  },
});
