import * as v from 'valibot';
import { SidPath } from '#accounts/merchants/schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { processorNames } from '../../ports/processors.ts';
import { RouteReply } from '../../schemas.ts';

/** Only what shows whose the credentials are: names and last characters. */
const Masked = v.record(v.string(), v.string());

export const ProcessorsDto = v.object({
  sid: v.number(),
  routes: v.array(v.object({ ...RouteReply.entries, credentials: Masked })),
  retired: v.array(v.object({ id: v.string(), processor: v.picklist(processorNames), credentials: Masked })),
  uses_sandbox: v.boolean(),
});

export const siteProcessorsDetails = defineOperation({
  area: 'processors',
  name: 'site-processors-details',
  summary: "Read a payment site's processors",
  description:
    'The routes in order, and the accounts kept only for refunds. Of credentials, only the account they belong to is shown.',
  method: 'POST',
  path: '/api/v3/site/{sid}/processors/details',
  auth: 'bearer',
  params: SidPath,
  reply: ProcessorsDto,
  errors: ['site_not_found', 'site_not_for_payments'],
  grants: { table: ['BatchGetItem'] },
  variables: ['ALLOW_SANDBOX'],
});
