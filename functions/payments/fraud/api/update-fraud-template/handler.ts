import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { changedTemplate, toTemplateDto } from '../../template/template-fields.ts';
import { changeTemplate } from '../../template/template-store.ts';
import { updateFraudTemplateOperation } from './operation.ts';

export const handler = auditedEndpoint(
  updateFraudTemplateOperation,
  async ({ params, body: { version, ...sent }, caller }) =>
    toTemplateDto(
      await changeTemplate(params.id, { seen: version, by: caller.subject }, (template) =>
        changedTemplate(template, sent),
      ),
    ),
);
