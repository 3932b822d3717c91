import { endpoint } from '../../core/http.ts';
import { enrollmentForCaller } from '../enrollment-store.ts';
import { enrollmentStatus } from '../operations.ts';
import { enrollmentStatus as shown } from '../payload.ts';

export const handler = endpoint(enrollmentStatus, async ({ params, caller }) =>
  shown(await enrollmentForCaller(params.id, caller)),
);
