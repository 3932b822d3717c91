import * as v from 'valibot';
import { MerchantIdField, RetailerIdField, SiteIdReply } from '#core/kernel/schema/field-schemas.ts';
import { text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { NewSite } from '../../schemas.ts';

export const NewSitePath = v.object({ mid: MerchantIdField, rid: RetailerIdField });

export const SiteCreated = v.object({
  sid: SiteIdReply,
  rcode: text('The site’s secret for its own calls. Shown once.'),
  signing_secret: text('Signs your callbacks; `whsec_` and base64. Shown once.'),
});

export const createSiteOperation = defineOperation('merchants/create-site', {
  summary: 'Create a site of a retailer',
  description: 'The answer is the only one that shows the rcode and the signing secret; both can be rotated.',
  method: 'POST',
  path: '/api/v3/site/mid/{mid}/rid/{rid}/create',
  auth: 'bearer',
  permission: 'settings:secrets',
  roles: ['manager'],
  params: NewSitePath,
  body: NewSite,
  reply: SiteCreated,
  errors: ['merchant_not_found', 'retailer_not_found'],
  grants: { table: ['BatchGetItem', 'UpdateItem', 'PutItem'], secrets: ['encryption'] },
  diverts: 'secret',
  idempotent: true,
  auditValues: { sent: { name: 'value', url: 'host', currency: 'value' } },
});
