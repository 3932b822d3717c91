import { endpoint } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { itemNameProblem } from '../../enrollment.ts';
import { enrollmentForCaller, setItemStatus } from '../../enrollment-store.ts';
import { unenrollItemOperation } from './operation.ts';

export const handler = endpoint(unenrollItemOperation, async ({ params: { id }, body, caller }) => {
  const problem = itemNameProblem(body);
  if (problem) throw new Refusal('request_invalid', problem);
  await enrollmentForCaller(id, caller);
  await setItemStatus(id, body, { status: 'UNENROLLED', overlap: false });
  return { status: 'ok' as const };
});
