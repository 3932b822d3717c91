import { endpoint } from '#core/platform/http/http.ts';
import { requireEnrollmentPage } from '../../list/enrollment-list.ts';
import { listEnrollments as list } from '../../list/enrollment-list-store.ts';
import { listEnrollmentsOperation } from './operation.ts';

export const handler = endpoint(listEnrollmentsOperation, async ({ body, headers, caller }) => {
  requireEnrollmentPage(body, headers['content-type']);
  return list(body, caller);
});
