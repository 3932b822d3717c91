import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { fraudOperation } from '../../declarations.ts';
import { assessed, CheckBody } from '../../schemas.ts';

export const CheckPath = v.object({ id: describeField(Id, 'The `sid`.') });

export const Checked = v.object({
  status: describeField(v.literal('OK'), '`ok` when it is done.'),
  ...assessed,
});

export const fraudcheckOperation = defineOperation('fraud/fraudcheck', {
  ...fraudOperation,
  auth: 'site',
  signable: true,
  summary: 'Assess the risk of an order without charging anything',
  description:
    'The body is that of singletx, the card optional; `hash` is the md5 of sid, timestamp, total, currency and rcode. The ' +
    "site's lists are checked first, then its fraud template (`ftid`). Nothing is charged; checks count among checks in the " +
    'velocities, payments among payments.',
  path: '/api/v1/index.php/{id}/fraudcheck',
  params: CheckPath,
  body: CheckBody,
  formats: ['form', 'json'],
  reply: Checked,
  errorShape: 'transaction',
  errors: ['hash_wrong', 'site_not_for_payments'],
  grants: {
    table: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    secrets: ['encryption', 'minfraud', 'sift'],
  },
  variables: ['ALLOW_LOOPBACK_HTTP', 'MINFRAUD_URL', 'SIFT_URL'],
});
