import * as v from 'valibot';
import { AlertIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok } from '#core/kernel/schema/schema.ts';
import { MaskedText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { creditReasons, creditStates } from '#disputes/alerts/cost/cost.ts';
import { CreditEvidenceDto } from '#disputes/alerts/cost/cost-schemas.ts';
import { AlertParams } from '#disputes/alerts/schemas.ts';
import { orAbsent } from '#disputes/providers/provider-fields.ts';
import { listedCreditStates } from '../../schemas.ts';

export const setCreditOperation = defineOperation('costs/set-credit', {
  summary: "Claim an alert's price back, or record the result",
  description:
    'A merchant sets `claimed`, or `claimable` to withdraw that: the credit is then what the alert itself shows, claimable or none. An ' +
    'administrator also sets `granted` and `refused`. `reason` is needed where the alert itself does not show one; `note` explains ' +
    'it. Repeating the call gives the same answer.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/credit',
  auth: 'bearer',
  permission: 'chargebacks',
  roles: ['analyst', 'manager'],
  params: AlertParams,
  body: v.object({
    state: describeField(
      v.picklist(listedCreditStates, `must be one of ${listedCreditStates.join(', ')}`),
      'Its present state.',
    ),
    reason: describeField(orAbsent(v.picklist(creditReasons, `must be one of ${creditReasons.join(', ')}`)), 'Why.'),
    note: describeField(orAbsent(MaskedText(1000)), 'A remark by the person who did it.'),
  }),
  reply: v.object({
    ...Ok.entries,
    alert_id: AlertIdReply,
    credit: describeField(
      v.picklist(creditStates),
      'Whether its price can be claimed back: none, claimable, claimed, granted or refused.',
    ),
    credit_reason: describeField(v.nullable(v.picklist(creditReasons)), 'Why its price can be claimed back.'),
    credit_evidence: CreditEvidenceDto,
  }),
  errors: ['alert_not_found', 'alert_not_paid_for', 'credit_state_wrong', 'changed_meanwhile'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
  audit: true,
  auditValues: { changed: { state: 'value', reason: 'value' } },
});
