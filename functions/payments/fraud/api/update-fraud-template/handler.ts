import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import type { TemplateFields } from '../../template/template.ts';
import { changedTemplate, toTemplateDto } from '../../template/template-fields.ts';
import { changeTemplate } from '../../template/template-store.ts';
import { updateFraudTemplateOperation } from './operation.ts';

const namedFields = ({ noAnswer = 'site', ...fields }: TemplateFields) => ({ ...fields, no_answer: noAnswer });

export const handler = auditedEndpoint(
  updateFraudTemplateOperation,
  async ({ params, body: { version, ...sent }, caller }, _, comparison) => {
    const template = await changeTemplate(params.id, { seen: version, by: caller.subject }, (before) => {
      const after = changedTemplate(before, sent);
      comparison.compare(namedFields(before), namedFields(after));
      return after;
    });
    return toTemplateDto(template);
  },
);
