import { endpoint } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { itemNameProblem } from '../../enrollment.ts';
import { setItemStatus } from '../../enrollment-store.ts';
import { setEnrollmentItemOperation } from './operation.ts';

export const handler = endpoint(
  setEnrollmentItemOperation,
  async ({ params: { id }, body: { status, overlap = false, ...name } }) => {
    const problem = itemNameProblem(name);
    if (problem) throw new Refusal('request_invalid', problem);
    await setItemStatus(id, name, { status, overlap });
    return { status: 'ok' as const };
  },
);
