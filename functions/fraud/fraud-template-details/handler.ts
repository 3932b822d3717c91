import { endpoint } from '../../core/http.ts';
import { toTemplateDto } from '../template-fields.ts';
import { templateVersions } from '../template-store.ts';
import { fraudTemplateDetails } from './operation.ts';

export const handler = endpoint(fraudTemplateDetails, async ({ params }) => {
  const versions = await templateVersions(params.id);
  return { ...toTemplateDto(versions[0]), versions: versions.map(toTemplateDto) };
});
