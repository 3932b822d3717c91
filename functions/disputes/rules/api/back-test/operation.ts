import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok, WholeNumber } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { BackTestDto } from '../../back-test/back-test-schemas.ts';
import { ownerErrors, ruleOperation } from '../../declarations.ts';
import { DraftRules, owner } from '../../schemas.ts';

export const BackTestBody = v.object({
  ...owner,
  site_rules: describeField(
    v.optional(DraftRules),
    "Instead of the site's rules, in order; absent: those of today. Only with `sid`.",
  ),
  merchant_rules: describeField(
    v.optional(DraftRules),
    "Instead of the merchant's rules, in order; absent: those of today.",
  ),
  days: describeField(v.optional(WholeNumber(1, 60), 30), 'Days back from now.'),
});

export const backTestOperation = defineOperation('rules/back-test', {
  ...ruleOperation,
  permission: 'settings',
  summary: 'Try draft rulebooks on recent alerts, compared with the current ones',
  description:
    'Of a site (`sid`), or of all sites of a merchant (`mid`). A worker reads each alert once; its details say how far it is and what ' +
    'it found. Refunds are counted as if each alert had exactly one transaction at a processor, limits as they would have held.',
  path: '/api/v3/service_alerts/rules/back-test',
  roles: ['manager'],
  body: BackTestBody,
  reply: v.object({ ...Ok.entries, ...BackTestDto.entries }),
  errors: [...ownerErrors],
  grants: {
    table: ['GetItem', 'PutItem'],
    indexes: ['list2', 'list4'],
    send: ['back-tests'],
  },
  audit: true,
});
