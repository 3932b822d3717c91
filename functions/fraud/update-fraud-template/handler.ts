import { endpoint } from '../../core/http.ts';
import { changedTemplate, toTemplateDto } from '../template-fields.ts';
import { changeTemplate } from '../template-store.ts';
import { updateFraudTemplate } from './operation.ts';

export const handler = endpoint(updateFraudTemplate, async ({ params, body: { version, ...sent }, caller }) =>
  toTemplateDto(
    await changeTemplate(params.id, { seen: version, by: caller.subject }, (template) =>
      changedTemplate(template, sent),
    ),
  ),
);
