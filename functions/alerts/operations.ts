import { defineOperation } from '../core/operation.ts';
import { ProviderABody } from './intake/provider-a.ts';
import { ProviderBBody } from './intake/provider-b.ts';
import { RdrBody } from './intake/rdr.ts';
import {
  AlertDetails,
  AlertPage,
  AlertParams,
  AssignBody,
  Assigned,
  ListAlerts,
  ListUnmatched,
  NoticeTaken,
  TestAlertBody,
  TestAlertMade,
  UnmatchedPage,
  UpdateBody,
  UpdateTaken,
} from './schemas.ts';
import { InformPage, ListInform } from './search/inform.ts';

const intake = {
  area: 'alerts',
  description:
    'Signed: `x-signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`. Answered once the alert is durable; ' +
    'sending a case again answers the same and does nothing.',
  method: 'POST',
  auth: 'provider',
  reply: NoticeTaken,
} as const;

export const receiveProviderA = defineOperation({
  ...intake,
  name: 'receive-provider-a',
  summary: 'Take an alert of provider_a',
  path: '/api/v3/providers/provider_a/alerts',
  body: ProviderABody,
  errors: ['signature_invalid'],
  grants: { table: ['BatchGetItem', 'PutItem'], secrets: ['provider-a'] },
});

export const receiveProviderB = defineOperation({
  ...intake,
  name: 'receive-provider-b',
  summary: 'Take a case of provider_b, or its withdrawal',
  path: '/api/v3/providers/provider_b/alerts',
  body: ProviderBBody,
  errors: ['signature_invalid', 'alert_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], secrets: ['provider-b'] },
});

export const receiveRdr = defineOperation({
  ...intake,
  name: 'receive-rdr',
  summary: "Take a network's decision to refund, or its end",
  path: '/api/v3/providers/rdr/alerts',
  body: RdrBody,
  errors: ['signature_invalid', 'alert_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], secrets: ['rdr'] },
});

export const updateAlert = defineOperation({
  area: 'alerts',
  name: 'update-alert',
  summary: 'Record what the merchant did about an alert',
  description: "The site's secret goes into the header `rcode`. The same final update again answers the same.",
  method: 'POST',
  path: '/secure/alert/update/v2/',
  aliases: ['/secure/alert/update/v2'],
  auth: 'site',
  body: UpdateBody,
  reply: UpdateTaken,
  errors: [
    'rcode_wrong',
    'alert_not_found',
    'reason_code_invalid',
    'alert_closed',
    'alert_takes_no_outcome',
    'changed_meanwhile',
  ],
  grants: { table: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
});

export const createTestAlert = defineOperation({
  area: 'alerts',
  name: 'create-test-alert',
  summary: 'Create a test alert and run the whole workflow on it',
  description:
    "The site is the one whose enrolled descriptor matches, among the caller's. Webhooks, e-mails and deadlines follow as for a real alert, which is marked as a test.",
  method: 'POST',
  path: '/secure/alerts/service_dummy',
  aliases: ['/api/v3/secure/alerts/service_dummy'],
  auth: 'bearer',
  body: TestAlertBody,
  reply: TestAlertMade,
  errors: ['onboarding_incomplete'],
  grants: { table: ['BatchGetItem', 'PutItem'] },
});

export const listAlerts = defineOperation({
  area: 'alerts',
  name: 'list-alerts',
  summary: 'List alerts',
  description: "Newest first, filtered by status, type, merchant, retailer, site and receipt's date.",
  method: 'POST',
  path: '/api/v3/service_alerts/alerts',
  auth: 'bearer',
  body: ListAlerts,
  formats: ['json', 'form'],
  reply: AlertPage,
  errors: ['merchant_not_found', 'retailer_not_found', 'site_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});

export const listInformAlerts = defineOperation({
  area: 'alerts',
  name: 'list-inform-alerts',
  summary: 'List and search informational alerts',
  description:
    'Only FRAUD_NOTICE and DISPUTE_NOTICE. `keyword` is looked up in `field`: a whole alert_id, alert_type or ' +
    'transaction_amount; of a descriptor, one word or several in a row; of a card, its first six digits, its last four, or ' +
    'both. Ids that do not exist, or belong to others, have no alerts. Days are of UTC, both included.',
  method: 'POST',
  path: '/api/v3/service_alerts/informalerts',
  auth: 'bearer',
  body: ListInform,
  formats: ['form', 'json'],
  reply: InformPage,
  errors: [],
  grants: {
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['list1', 'list1f', 'list2', 'list2f', 'list3', 'list3f', 'list4', 'list4f'],
  },
});

export const alertDetails = defineOperation({
  area: 'alerts',
  name: 'alert-details',
  summary: 'Show one alert with its history',
  description: 'The fields of its notification, how it stands, and who changed what, when and from where.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/details',
  auth: 'bearer',
  params: AlertParams,
  reply: AlertDetails,
  errors: ['alert_not_found'],
  grants: { table: ['Query'] },
});

export const listUnmatched = defineOperation({
  area: 'alerts',
  name: 'list-unmatched',
  summary: 'List the alerts that nobody or more than one merchant enrolled for',
  description: 'Newest first, each with the reason. `assign` gives one to a site. For administrators.',
  method: 'POST',
  path: '/api/v3/service_alerts/unmatched',
  auth: 'admin',
  body: ListUnmatched,
  formats: ['json', 'form'],
  reply: UnmatchedPage,
  errors: [],
  grants: { table: ['GetItem'], indexes: ['list1'] },
});

export const assignAlert = defineOperation({
  area: 'alerts',
  name: 'assign-alert',
  summary: 'Give an unmatched alert to a site',
  description:
    'From then on it is an alert like any other: the site is notified, and its deadline counts from receipt.',
  method: 'POST',
  path: '/api/v3/service_alerts/unmatched/{alert_id}/assign',
  auth: 'admin',
  params: AlertParams,
  body: AssignBody,
  reply: Assigned,
  errors: ['alert_not_found', 'site_not_found', 'site_not_for_alerts', 'alert_already_assigned', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'] },
});

export const alertOperations = [
  receiveProviderA,
  receiveProviderB,
  receiveRdr,
  updateAlert,
  createTestAlert,
  listAlerts,
  listInformAlerts,
  alertDetails,
  listUnmatched,
  assignAlert,
] as const;
