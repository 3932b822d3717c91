import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { templateFields, toTemplateDto } from '#payments/fraud/template/template-fields.ts';
import { addTemplate } from '#payments/fraud/template/template-store.ts';
import { addFraudTemplateOperation } from './operation.ts';

export const handler = auditedEndpoint(
  addFraudTemplateOperation,
  async ({ body: { name, description = '', ...sent }, caller }) => {
    const { entry, template } = await addTemplate({ name, description }, templateFields(sent), caller.subject);
    return { status: 'ok' as const, ...entry, ...toTemplateDto(template) };
  },
);
