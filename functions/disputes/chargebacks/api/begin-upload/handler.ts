import { endpoint } from '#core/platform/http/http.ts';
import { beginUploadForCaller } from '../../files/evidence-files-flow.ts';
import { beginUploadOperation } from './operation.ts';

export const handler = endpoint(beginUploadOperation, ({ params: { id }, body, caller }) =>
  beginUploadForCaller(id, body, caller),
);
