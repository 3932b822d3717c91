import { endpoint } from '#core/platform/http/http.ts';
import { enrollmentStatus as shown } from '../../enrollment-payload.ts';
import { enrollmentForCaller } from '../../enrollment-store.ts';
import { enrollmentStatusOperation } from './operation.ts';

export const handler = endpoint(enrollmentStatusOperation, async ({ params, caller }) =>
  shown(await enrollmentForCaller(params.id, caller)),
);
