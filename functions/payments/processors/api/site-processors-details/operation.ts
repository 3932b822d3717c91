import * as v from 'valibot';
import { SidPath } from '#accounts/merchants/schemas.ts';
import { SiteIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { processorNames } from '../../ports/processors.ts';
import { RouteReply } from '../../schemas.ts';

/** Only what shows whose the credentials are: names and last characters. */
const Masked = describeField(
  v.record(v.string(), v.string()),
  'What the other side has given you to sign in with; never shown again.',
);

export const ProcessorsDto = v.object({
  sid: SiteIdReply,
  routes: describeField(
    v.array(v.object({ ...RouteReply.entries, credentials: Masked })),
    'Which processor takes which payments; the first that fits is asked first.',
  ),
  retired: describeField(
    v.array(
      v.object({
        id: text('The account.'),
        processor: describeField(v.picklist(processorNames), 'The processor.'),
        credentials: Masked,
      }),
    ),
    'Whether it is kept only for refunds of what it has taken.',
  ),
  uses_sandbox: flag('Whether payments go to the sandbox, as there are no routes.'),
});

export const siteProcessorsDetailsOperation = defineOperation('processors/site-processors-details', {
  summary: "Read a payment site's processors",
  description:
    'The routes in order, and the accounts kept only for refunds. Of credentials, only the account they belong to is shown.',
  method: 'POST',
  path: '/api/v3/site/{sid}/processors/details',
  auth: 'bearer',
  permission: 'settings:read',
  siteKeys: 'named',
  params: SidPath,
  reply: ProcessorsDto,
  errors: ['site_not_found', 'site_not_for_payments'],
  grants: { table: ['BatchGetItem'] },
  variables: ['ALLOW_SANDBOX'],
});
