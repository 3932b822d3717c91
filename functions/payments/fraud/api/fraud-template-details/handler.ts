import { endpoint } from '#core/platform/http/http.ts';
import { toTemplateDto } from '../../template/template-fields.ts';
import { templateVersions } from '../../template/template-store.ts';
import { fraudTemplateDetailsOperation } from './operation.ts';

export const handler = endpoint(fraudTemplateDetailsOperation, async ({ params }) => {
  const versions = await templateVersions(params.id);
  return { ...toTemplateDto(versions[0]), versions: versions.map(toTemplateDto) };
});
