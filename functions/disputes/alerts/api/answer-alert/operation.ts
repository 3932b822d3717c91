import { describeField } from '#core/kernel/schema/field-words.ts';
import { FromTime, Id, Nested } from '#core/kernel/schema/schema.ts';
import { Text } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { orAbsent, ProviderAmountText } from '#disputes/providers/provider-fields.ts';
import { AlertParams, updateWith } from '../../schemas.ts';
import { UpdateReply } from '../update-alert/operation.ts';

const Body = updateWith({
  refunded_elsewhere: describeField(
    orAbsent(
      Nested(
        {
          date: describeField(FromTime, 'When it was made: a day, or a time with zone (ISO 8601).'),
          reference: describeField(orAbsent(Text(100)), 'The reference of the refund where it was made.'),
          amount: describeField(
            orAbsent(ProviderAmountText),
            'A decimal, in `alert_outcome_currency` or else the disputed currency; if absent, the disputed amount.',
          ),
        },
        'must be an object with date, and perhaps reference and amount',
      ),
    ),
    'With a result .001 (refunded): a refund that was not made through Forewarn. Its date and amount are the outcome’s.',
  ),
  sid: describeField(orAbsent(Id), 'The alert’s site, if you know it: that is quicker.'),
});

export const answerAlertOperation = defineOperation('alerts/answer-alert', {
  summary: 'Record what a person did about an alert',
  description:
    'The same as the update with a site’s rcode, for callers who have a token. The history names the user. Repeating the final update ' +
    'gives the same answer. A result .001 (refunded) needs a refund that is recorded for the alert, or `refunded_elsewhere`.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/update',
  auth: 'bearer',
  permission: 'alerts:answer',
  tool: {
    kind: 'act',
    consequences:
      'The answer is recorded and reported to the card network. A final answer cannot be changed. No money moves.',
    about: 'alerts/alert-details',
  },
  siteKeys: 'found',
  roles: ['analyst', 'manager'],
  params: AlertParams,
  body: Body,
  reply: UpdateReply,
  errors: [
    'alert_not_found',
    'reason_code_invalid',
    'alert_closed',
    'alert_takes_no_outcome',
    'refund_first',
    'changed_meanwhile',
  ],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
});
