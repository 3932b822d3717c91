import { defineOperation } from '#core/platform/operation/operation.ts';
import { InformPageSchema, ListInform } from '../../search/inform-filters.ts';

export const listInformAlertsOperation = defineOperation('alerts/list-inform-alerts', {
  summary: 'List and search informational alerts',
  description:
    'Only FRAUD_NOTICE and DISPUTE_NOTICE. `keyword` is looked up in `field`: a whole alert_id, alert_type or ' +
    'transaction_amount; of a descriptor, one word or several in a row; of a card, its first six digits, its last four, or ' +
    'both. Ids that do not exist, or belong to others, have no alerts. Days are of UTC, both included.',
  method: 'POST',
  path: '/api/v3/service_alerts/informalerts',
  auth: 'bearer',
  permission: 'alerts:read',
  body: ListInform,
  formats: ['form', 'json'],
  reply: InformPageSchema,
  errors: [],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});
