import { defineOperation } from '#core/platform/operation/operation.ts';
import { fraudOperation } from '../../declarations.ts';
import { TemplateDetails, TemplateParams } from '../../schemas.ts';

export const fraudTemplateDetailsOperation = defineOperation('fraud/fraud-template-details', {
  ...fraudOperation,
  permission: 'settings:read',
  summary: 'Show what a fraud template holds, with its versions',
  description:
    'The newest 100 versions, each as it was, and since when. The first one of an included template is among them.',
  path: '/api/v3/datasource/fraudtemplate/{id}/details',
  params: TemplateParams,
  reply: TemplateDetails,
  errors: ['fraud_template_not_found'],
  grants: { table: ['GetItem', 'Query'] },
});
