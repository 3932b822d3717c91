import { defineOperation } from '#core/platform/operation/operation.ts';
import { fraudOperation } from '../../declarations.ts';
import { TemplateDto, TemplateParams, UpdateTemplate } from '../../schemas.ts';

export const updateFraudTemplateOperation = defineOperation('fraud/update-fraud-template', {
  ...fraudOperation,
  auth: 'admin',
  summary: 'Make the next version of a fraud template',
  description:
    'Fields that are absent stay; `rules` are replaced whole. Payments are assessed by the new version from then on, and the ' +
    'versions before it are kept.',
  path: '/api/v3/datasource/fraudtemplate/{id}/update',
  params: TemplateParams,
  body: UpdateTemplate,
  reply: TemplateDto,
  errors: ['fraud_template_not_found', 'changed_meanwhile'],
  grants: { table: ['BatchGetItem', 'PutItem'] },
  audit: true,
  auditValues: {
    changed: {
      scorer: 'value',
      fallbacks: 'value',
      'thresholds.review': 'value',
      'thresholds.three_ds': 'value',
      'thresholds.reject': 'value',
    },
  },
});
