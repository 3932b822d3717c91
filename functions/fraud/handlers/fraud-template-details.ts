import { endpoint } from '../../core/http.ts';
import { fraudTemplateDetails } from '../operations.ts';
import { templateShown } from '../template-fields.ts';
import { templateVersions } from '../template-store.ts';

export const handler = endpoint(fraudTemplateDetails, async ({ params }) => {
  const versions = await templateVersions(params.id);
  return { ...templateShown(versions[0]), versions: versions.map(templateShown) };
});
