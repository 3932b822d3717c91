import { endpoint } from '../../core/http.ts';
import { templateFields, toTemplateDto } from '../../fraud/template-fields.ts';
import { addTemplate } from '../../fraud/template-store.ts';
import { addFraudTemplate } from './operation.ts';

export const handler = endpoint(addFraudTemplate, async ({ body: { name, description = '', ...sent }, caller }) => {
  const { entry, template } = await addTemplate({ name, description }, templateFields(sent), caller.subject);
  return { status: 'ok' as const, ...entry, ...toTemplateDto(template) };
});
