import { endpoint } from '../../core/http.ts';
import { templateShown } from '../template-fields.ts';
import { templateVersions } from '../template-store.ts';
import { fraudTemplateDetails } from './operation.ts';

export const handler = endpoint(fraudTemplateDetails, async ({ params }) => {
  const versions = await templateVersions(params.id);
  return { ...templateShown(versions[0]), versions: versions.map(templateShown) };
});
