import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { readAppFile } from '../../app-store.ts';
import { codingFor, endingOf, fileHeaders, typeOfFile } from '../../serving.ts';
import { dashboardFileOperation } from './operation.ts';

export const handler = endpoint(dashboardFileOperation, async ({ params: { id }, headers }) => {
  const type = typeOfFile(id);
  const coding = codingFor(headers['accept-encoding']);
  const bytes = type === undefined ? undefined : await readAppFile(`${id}${endingOf[coding]}`);
  if (type === undefined || !bytes) throw new Refusal('page_not_found', 'id: the dashboard has no such file.');
  return new WithHeaders(bytes, {
    ...fileHeaders(id),
    'content-type': type,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
  });
});
