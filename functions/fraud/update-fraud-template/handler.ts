import { auditedEndpoint } from '../../core/audit-store.ts';
import { changedTemplate, toTemplateDto } from '../template-fields.ts';
import { changeTemplate } from '../template-store.ts';
import { updateFraudTemplate } from './operation.ts';

export const handler = auditedEndpoint(updateFraudTemplate, async ({ params, body: { version, ...sent }, caller }) =>
  toTemplateDto(
    await changeTemplate(params.id, { seen: version, by: caller.subject }, (template) =>
      changedTemplate(template, sent),
    ),
  ),
);
