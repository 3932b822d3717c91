import { defineOperation } from '../core/operation.ts';
import {
  CheckBody,
  Checked,
  CheckPath,
  FraudDetails,
  FraudParams,
  SetLists,
  ShownLists,
  SitePath,
  TemplateDetails,
  TemplateParams,
  TemplateShown,
  UpdateTemplate,
} from './schemas.ts';

const base = { area: 'fraud', method: 'POST', auth: 'bearer' } as const;

export const fraudcheck = defineOperation({
  ...base,
  auth: 'site',
  name: 'fraudcheck',
  summary: 'Assess the risk of an order without charging anything',
  description:
    'The body is that of singletx, the card optional; `hash` is the md5 of sid, timestamp, total, currency and rcode. The ' +
    "site's lists are asked first, then its fraud template (`ftid`). Nothing is charged; checks count among checks in the " +
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
    secrets: ['encryption', 'minfraud'],
  },
  variables: ['ALLOW_LOOPBACK_HTTP', 'MINFRAUD_URL'],
});

export const fraudDetails = defineOperation({
  ...base,
  name: 'fraud-details',
  summary: 'Show a fraud check and everything it was decided on',
  description: 'Of a payment or of a check alone, under the `fraud_id` that it was answered with.',
  path: '/api/v3/fraud/{fraud_id}/details',
  params: FraudParams,
  reply: FraudDetails,
  errors: ['fraud_check_not_found'],
  grants: { table: ['GetItem'] },
});

export const setFraudLists = defineOperation({
  ...base,
  name: 'set-fraud-lists',
  summary: 'Set whom a payment site always refuses, whom it always takes, and whom it watches',
  description:
    'Each list that is given replaces the present one, those that are absent stay; an empty body shows them. `block` and ' +
    '`allow` decide before any scorer or template; a payer on both is refused. `watch` decides nothing: what it means to ' +
    'be on it, the rules of the fraud template say, which ask for the fact `watched`.',
  path: '/api/v3/site/{sid}/fraud-lists',
  params: SitePath,
  body: SetLists,
  reply: ShownLists,
  errors: ['site_not_found', 'site_not_for_payments', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'], secrets: ['encryption'] },
});

export const fraudTemplateDetails = defineOperation({
  ...base,
  name: 'fraud-template-details',
  summary: 'Show what a fraud template holds, with its versions',
  description:
    'The newest 100 versions, each as it was, and since when. The first one of an included template is among them.',
  path: '/api/v3/datasource/fraudtemplate/{id}/details',
  params: TemplateParams,
  reply: TemplateDetails,
  errors: ['fraud_template_not_found'],
  grants: { table: ['GetItem', 'Query'] },
});

export const updateFraudTemplate = defineOperation({
  ...base,
  auth: 'admin',
  name: 'update-fraud-template',
  summary: 'Make the next version of a fraud template',
  description:
    'Fields that are absent stay; `rules` are replaced whole. Payments are assessed by the new version from then on, and the ' +
    'versions before it are kept.',
  path: '/api/v3/datasource/fraudtemplate/{id}/update',
  params: TemplateParams,
  body: UpdateTemplate,
  reply: TemplateShown,
  errors: ['fraud_template_not_found', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'] },
});

export const fraudOperations = [
  fraudcheck,
  fraudDetails,
  setFraudLists,
  fraudTemplateDetails,
  updateFraudTemplate,
] as const;
