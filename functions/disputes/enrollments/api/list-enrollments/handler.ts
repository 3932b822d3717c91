import { endpoint } from '#core/platform/http/http.ts';
import { requirePage } from '../../list/enrollment-list.ts';
import { listEnrollments as list } from '../../list/enrollment-list-store.ts';
import { listEnrollments } from './operation.ts';

export const handler = endpoint(listEnrollments, async ({ body, headers, caller }) => {
  requirePage(body, headers['content-type']);
  return list(body, caller);
});
