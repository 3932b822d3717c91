import { defineOperation } from '#core/platform/operation/operation.ts';
import { entries } from '../../declarations.ts';

export const listFraudTemplatesOperation = defineOperation('datasources/list-fraud-templates', {
  ...entries,
  summary: 'Fraud templates',
  description: "Their ids go into `ftid` of a payment site's settings.",
  path: '/api/v3/datasource/fraudtemplate',
});
